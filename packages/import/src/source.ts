/** A file to read, or one inside of a zip. */
export interface Source {
  /** For people. */
  readonly place: string;
  /** Of the documents that it makes up: the path from the folder that was named. */
  readonly id: string;
  /** On the disk. */
  readonly bytes: number;
  /** Of the content, which is larger if it is packed. */
  readonly contentBytes: number;
  readonly modified: Date;
  /** Its content from the beginning, as often as it is called. */
  open(): AsyncIterable<Uint8Array>;
}

/** A file on a disk, which alone can be a zip. */
export interface FileSource extends Source {
  /** A part of it, which is shorter only at its end. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

const extensions: ReadonlySet<string> = new Set(['txt', 'text', 'md', 'markdown', 'json', 'jsonl', 'ndjson', 'zip']);

/** Whether a file of a folder is read; a file that is named itself may have any name. */
export function isReadInFolders(name: string): boolean {
  return extensions.has(/\.([^./]*)$/.exec(name)?.[1]?.toLowerCase() ?? '');
}

/** Hidden files and folders are passed over. */
export function isHidden(name: string): boolean {
  return name.startsWith('.');
}
