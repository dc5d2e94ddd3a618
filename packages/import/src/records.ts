import { concatBytes, isBlank } from './bytes.ts';
import { FileFault } from './found.ts';
import { arrayElements, lines } from './pieces.ts';

/** A JSON value of a file, or why there is none, and how much of the file it is. */
type FileRecord = { readonly place: string; readonly bytes: number } & (
  | { readonly value: unknown }
  | { readonly fault: string }
);

/** How records are written in a file. */
export type Layout = 'array' | 'object' | 'lines';

/** The largest record, and the largest JSON file that is no list, in bytes: only one is held in memory. */
const maxRecordBytes = 128 * 1_024 ** 2;

/**
 * Reads the records of a file, one after another.
 *
 * @param place of the file
 * @throws FileFault when the rest of the file cannot be read
 */
export function readRecords(
  content: AsyncIterable<Uint8Array>,
  layout: Layout,
  place: string,
): AsyncIterable<FileRecord> {
  if (layout === 'array') return arrayRecords(content, place);
  return layout === 'lines' ? lineRecords(content, place) : objectRecords(content, place);
}

/** Whether the first of several lines is an object of its own, however long it is. */
export async function isJsonLines(content: AsyncIterable<Uint8Array>): Promise<boolean> {
  let hasRecord = false;
  try {
    for await (const line of lines(content, maxRecordBytes)) {
      if (isBlank(line)) continue;
      if (hasRecord) return true;
      if ('fault' in parse(line, '')) return false;
      hasRecord = true;
    }
    return false;
  } catch (error) {
    // Named when the records are read.
    if (error instanceof FileFault) return hasRecord;
    throw error;
  }
}

async function* arrayRecords(content: AsyncIterable<Uint8Array>, place: string): AsyncIterable<FileRecord> {
  let number = 0;
  for await (const element of arrayElements(content, maxRecordBytes)) {
    number += 1;
    yield parse(element, `${place}, record ${number}`);
  }
}

async function* lineRecords(content: AsyncIterable<Uint8Array>, place: string): AsyncIterable<FileRecord> {
  let number = 0;
  for await (const line of lines(content, maxRecordBytes)) {
    number += 1;
    if (!isBlank(line)) yield parse(line, `${place}, line ${number}`);
  }
}

/** The list in a reply of an API, or the object itself. */
async function* objectRecords(content: AsyncIterable<Uint8Array>, place: string): AsyncIterable<FileRecord> {
  const whole = await wholeOf(content);
  const parsed = parse(whole, place);
  if ('fault' in parsed) throw new FileFault(parsed.fault);
  const object = parsed.value as Record<string, unknown>;
  const name = ['results', 'items', 'memories', 'conversations', 'documents'].find((key) => Array.isArray(object[key]));
  const values = name === undefined ? [object] : (object[name] as unknown[]);
  const bytes = whole.length / values.length;
  for (const [index, value] of values.entries()) yield { place: `${place}, record ${index + 1}`, bytes, value };
}

/** @throws FileFault if it is too large */
export async function wholeOf(content: AsyncIterable<Uint8Array>, maxBytes = maxRecordBytes): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new FileFault(`it has more than ${maxBytes / 1_024 ** 2} MiB`);
    chunks.push(chunk);
  }
  return concatBytes(chunks);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @returns undefined if it is not UTF-8; a byte order mark is left out */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: Uint8Array, place: string): FileRecord {
  const bytes = text.length;
  const json = decodeUtf8(text);
  if (json === undefined) return { place, bytes, fault: 'it is not UTF-8' };
  try {
    return { place, bytes, value: JSON.parse(json) };
  } catch {
    return { place, bytes, fault: 'it is not JSON' };
  }
}
