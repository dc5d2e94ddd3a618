import type { FormatName } from '../formats/formats.ts';
import type { Fault, ImportedDocument } from '../found.ts';
import { readSource } from '../read-source.ts';
import type { FileSource } from '../source.ts';

export interface Read {
  readonly documents: readonly ImportedDocument[];
  readonly faults: readonly Fault[];
  readonly leftOut: number;
  readonly formats: readonly FormatName[];
  /** Of each thing that was found. */
  readonly bytes: readonly number[];
}

const chunkBytes = 64 * 1_024;

/** Reads one file with this name and content. */
export async function readFile(name: string, content: string | Buffer, format?: FormatName): Promise<Read> {
  const read = { documents: [] as ImportedDocument[], faults: [] as Fault[], leftOut: 0, bytes: [] as number[] };
  const formats: FormatName[] = [];
  const onFormat = (_: string, found: FormatName) => formats.push(found);
  for await (const found of readSource(fileOf(name, Buffer.from(content)), { format, onFormat })) {
    read.bytes.push(found.bytes ?? 0);
    if (found.kind === 'document') read.documents.push(found.document);
    else if (found.kind === 'fault') read.faults.push(found.fault);
    else read.leftOut += 1;
  }
  return { ...read, formats };
}

function fileOf(name: string, content: Uint8Array): FileSource {
  return {
    place: name,
    id: name,
    bytes: content.length,
    contentBytes: content.length,
    modified: new Date(),
    async *open() {
      for (let start = 0; start < content.length; start += chunkBytes) {
        yield content.subarray(start, start + chunkBytes);
      }
    },
    read: async (offset, length) => content.slice(offset, offset + length),
  };
}
