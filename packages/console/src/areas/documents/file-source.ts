import type { FileSource } from '@mneme/import';

/** A file, and how its document is called: in a dropped folder with the path from the folder. */
export interface NamedFile {
  readonly name: string;
  readonly file: File;
}

/** A file that somebody chose or dropped, as an import reads it: piece by piece, not as a whole. */
export function fileSource({ name, file }: NamedFile): FileSource {
  return {
    place: name,
    id: name,
    bytes: file.size,
    contentBytes: file.size,
    modified: new Date(file.lastModified),
    open: () => chunksOf(file),
    read: async (offset, length) => new Uint8Array(await file.slice(offset, offset + length).arrayBuffer()),
  };
}

/** Not every browser can iterate over a stream. */
async function* chunksOf(file: File): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
  } finally {
    await reader.cancel();
  }
}
