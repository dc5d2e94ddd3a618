import { concatBytes } from './bytes.ts';
import { type FormatName, type RecordFormatName, recogniseFormat, recordFormats } from './formats/formats.ts';
import type { RecordFormat } from './formats/record-format.ts';
import { readText } from './formats/text.ts';
import { documentFound, FileFault, type Found, faultFound } from './found.ts';
import { JoinedDocuments } from './joined-documents.ts';
import { decodeUtf8, isJsonLines, type Layout, readRecords, wholeOf } from './records.ts';
import type { FileSource, Source } from './source.ts';
import { entriesOf } from './zip.ts';

interface ReadingOptions {
  /** Unless given, what the content looks like. */
  readonly format: FormatName | undefined;
  /** Called once a file, when its format is known. */
  onFormat(place: string, format: FormatName): void;
}

/** The largest text that becomes a document, in bytes; it is read as a whole. */
const maxTextBytes = 16 * 1_024 ** 2;
/** Enough to tell how a file is written, in bytes. */
const headBytes = 64 * 1_024;

/** Reads the documents of a file, one after another. What cannot be read is a fault, and the rest is read. */
export async function* readSource(source: FileSource, options: ReadingOptions): AsyncIterable<Found> {
  try {
    const head = await headOf(source);
    if (!isZip(head)) {
      yield* readContent(source, options);
      return;
    }
    for await (const entry of entriesOf(source)) {
      const packed = entry.bytes / Math.max(1, entry.contentBytes);
      for await (const found of readContent(entry, options)) yield { ...found, bytes: packed * (found.bytes ?? 0) };
    }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    yield faultFound(source.place, error.message);
  }
}

async function* readContent(source: Source, options: ReadingOptions): AsyncIterable<Found> {
  try {
    const layout = await layoutOf(source, options.format);
    if (layout === 'text') yield* readWholeText(source, options);
    else if (layout !== undefined) yield* readRecordsOf(source, layout, options);
    else yield faultFound(source.place, 'it is neither a JSON object nor a list of objects');
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    yield faultFound(source.place, error.message);
  }
}

async function* readWholeText(source: Source, options: ReadingOptions): AsyncIterable<Found> {
  const text = decodeUtf8(await wholeOf(chunksOf(source), maxTextBytes));
  if (text === undefined || text.includes('\0')) {
    yield faultFound(source.place, 'it is not a text in UTF-8');
    return;
  }
  const isMarkdown =
    options.format === 'markdown' || (options.format === undefined && /\.(md|markdown)$/i.test(source.id));
  options.onFormat(source.place, isMarkdown ? 'markdown' : 'text');
  const { id, place, modified, contentBytes: bytes } = source;
  for (const found of readText({ text, documentId: id, place, modified, isMarkdown })) {
    yield found.kind === 'document' ? { ...found, bytes } : found;
  }
}

async function* readRecordsOf(source: Source, layout: Layout, options: ReadingOptions): AsyncIterable<Found> {
  let name = options.format as RecordFormatName | undefined;
  if (name) options.onFormat(source.place, name);
  const joined = new JoinedDocuments();
  let joinedBytes = 0;
  for await (const record of readRecords(chunksOf(source), layout, source.place)) {
    if ('fault' in record) {
      yield { ...faultFound(record.place, record.fault), bytes: record.bytes };
      continue;
    }
    if (name === undefined) {
      name = recogniseFormat(record.value);
      if (name) options.onFormat(source.place, name);
    }
    if (name === undefined) {
      const reason = 'it looks like no format that can be imported; --format says which it is';
      yield { ...faultFound(record.place, reason), bytes: record.bytes };
      continue;
    }
    const format: RecordFormat = recordFormats[name];
    const parts = partsOf(format, record, source.id);
    const bytes = record.bytes / parts.length;
    for (const found of parts) {
      if (found.kind === 'document' && format.joinsDocuments) {
        joined.add(found.document);
        joinedBytes += bytes;
      } else yield { ...found, bytes };
    }
  }
  for (const { id, items, share } of joined.all()) {
    yield { ...documentFound({ id, place: source.place, items }), bytes: share * joinedBytes };
  }
}

/** What a format finds in a record; what it throws is a fault. */
function partsOf(format: RecordFormat, { value, place }: { value: unknown; place: string }, fileId: string): Found[] {
  try {
    return [...format.read(value, place, fileId)];
  } catch (error) {
    return [faultFound(place, (error as Error).message)];
  }
}

/** An object, a list of objects, or an empty one. Texts begin with other brackets: `[2024-01-03 10:42] Anna: ...`. */
const recordsBegin = /^(?:\[\s*(?:\{|\]\s*$)|\{\s*(?:"|\}\s*$))/;

/** How a file is written, by how it begins; the name decides where that says too little. */
async function layoutOf(source: Source, format: FormatName | undefined): Promise<Layout | 'text' | undefined> {
  const extension = /\.[^./]*$/.exec(source.id)?.[0].toLowerCase() ?? '';
  const isTextName = ['.md', '.markdown', '.txt', '.text'].includes(extension);
  if (format === 'text' || format === 'markdown' || (format === undefined && isTextName)) return 'text';
  // It may end within a character.
  const start = new TextDecoder().decode(await headOf(source)).trimStart();
  const isJsonName = ['.json', '.jsonl', '.ndjson'].includes(extension);
  if (format === undefined && !isJsonName && !recordsBegin.test(start)) return 'text';
  if (start.startsWith('[')) return 'array';
  if (['.jsonl', '.ndjson'].includes(extension)) return 'lines';
  if (start.startsWith('{')) return (await isJsonLines(chunksOf(source))) ? 'lines' : 'object';
  return format === 'jsonl' ? 'lines' : undefined;
}

/** `PK` and two control characters. */
function isZip([first, second, third, fourth]: Uint8Array): boolean {
  return first === 0x50 && second === 0x4b && third === 0x03 && fourth === 0x04;
}

async function headOf(source: Source): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(source)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= headBytes) break;
  }
  return concatBytes(chunks).subarray(0, headBytes);
}

/** @throws FileFault when it cannot be read, or not be unpacked */
async function* chunksOf(source: Source): AsyncIterable<Uint8Array> {
  try {
    yield* source.open();
  } catch (cause) {
    throw new FileFault(`it cannot be read: ${(cause as Error).message}`, { cause });
  }
}
