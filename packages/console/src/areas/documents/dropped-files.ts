import type { Fault } from '@mneme/import';
import { en } from '../../text/en.ts';
import type { NamedFile } from './file-source.ts';

export interface Dropped {
  readonly files: readonly NamedFile[];
  /** The files and folders that the browser could not open. */
  readonly faults: readonly Fault[];
}

/**
 * What was dropped: files, and those in folders. Of folders the same files are read as by `mneme import`, under the same
 * names, so that importing them the other way stores nothing twice.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<Dropped> {
  // What is dropped can be asked for only now, not after the first wait. What does not exist any more has no entry.
  const drops = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? item.getAsFile() ?? []);
  const all = await Promise.all(drops.map((drop) => (drop instanceof File ? named([drop]) : dropOf(drop))));
  return { files: all.flatMap(({ files }) => files), faults: all.flatMap(({ faults }) => faults) };
}

/** Files outside of folders. */
export function named(files: readonly File[]): Dropped {
  return { files: files.map((file) => ({ name: file.name, file })), faults: [] };
}

async function dropOf(dropped: FileSystemEntry): Promise<Dropped> {
  const files: NamedFile[] = [];
  const faults: Fault[] = [];
  const add = async (entry: FileSystemEntry): Promise<void> => {
    const name = entry.fullPath.slice(1);
    try {
      if (isFile(entry)) files.push({ name, file: await fileOf(entry) });
      else for (const child of await readableIn(entry as FileSystemDirectoryEntry)) await add(child);
    } catch (error) {
      faults.push({ place: name, reason: en.documents.import.unreadable((error as Error).message) });
    }
  };
  await add(dropped);
  return { files, faults };
}

/** What is read of a folder, and its folders. */
async function readableIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const { isHidden, isReadInFolders } = await import('@mneme/import');
  const isRead = (entry: FileSystemEntry) => !isHidden(entry.name) && (!isFile(entry) || isReadInFolders(entry.name));
  return (await childrenOf(folder)).filter(isRead).toSorted(byName);
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A folder gives its entries in parts, the last of which is empty. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return children;
    children.push(...part);
  }
}

function byName(left: FileSystemEntry, right: FileSystemEntry): number {
  return left.name < right.name ? -1 : 1;
}
