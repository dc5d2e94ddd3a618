import { configure, type FileEntry, Reader, ZipReader } from '@zip.js/zip.js';
import { FileFault } from './found.ts';
import type { FileSource, Source } from './source.ts';

// The policy of a page may allow no worker, and unpacking is native.
configure({ useWebWorkers: false });

/** The most that an entry may become when it is unpacked; it is streamed, so this bounds time, not memory. */
const maxEntryBytes = 8 * 1_024 ** 3;

/**
 * The conversations in the zip of a data export; other files of it are not read.
 *
 * @throws FileFault if there are none, or it cannot be opened
 */
export async function* entriesOf(zip: FileSource): AsyncIterable<Source> {
  const reader = new ZipReader(new SourceReader(zip));
  let found = 0;
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      if (entry.directory || !/(^|\/)conversations([-_]\d+)?\.json$/i.test(entry.filename)) continue;
      found += 1;
      yield entrySource(zip, entry);
    }
  } catch (cause) {
    throw cause instanceof FileFault ? cause : new FileFault('the zip is damaged', { cause });
  } finally {
    await reader.close();
  }
  if (found === 0) throw new FileFault('the zip has no conversations.json; unpack it, and import the files in it');
}

class SourceReader extends Reader<FileSource> {
  readonly #source: FileSource;

  constructor(source: FileSource) {
    super(source);
    this.#source = source;
    this.size = source.bytes;
  }

  override readUint8Array(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#source.read(offset, length) as Promise<Uint8Array<ArrayBuffer>>;
  }
}

function entrySource(zip: FileSource, entry: FileEntry): Source {
  if (entry.encrypted) throw new FileFault('the zip is encrypted; unpack it first');
  if (entry.uncompressedSize > maxEntryBytes) throw new FileFault(`${entry.filename} has more than 8 GiB`);
  return {
    place: `${zip.place}/${entry.filename}`,
    id: `${zip.id}/${entry.filename}`,
    bytes: entry.compressedSize,
    contentBytes: entry.uncompressedSize,
    modified: zip.modified,
    open: () => contentOf(entry),
  };
}

/** @throws Error when it is damaged, or not what the directory of the zip says */
async function* contentOf(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const stop = new AbortController();
  const written = entry.getData(writable, { checkSignature: true, signal: stop.signal });
  // Awaited below, after what could be read.
  written.catch(() => undefined);
  const reader = readable.getReader();
  let isWhole = false;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
    await written;
    isWhole = true;
  } finally {
    if (!isWhole) {
      stop.abort();
      await reader.cancel().catch(() => undefined);
    }
  }
}
