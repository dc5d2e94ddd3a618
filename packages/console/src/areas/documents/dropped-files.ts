import type { NamedFile } from './file-source.ts';

/**
 * What was dropped: files, and those in folders. Of folders the same files are read as by `mneme import`, under the same
 * names, so that importing them the other way stores nothing twice.
 */
export function droppedFiles(transfer: DataTransfer): Promise<NamedFile[]> {
  // What is dropped can be asked for entries only now, not after the first wait.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return Promise.resolve([...transfer.files].map((file) => ({ name: file.name, file })));
  return Promise.all(entries.map((entry) => filesOf(entry))).then((files) => files.flat());
}

async function filesOf(entry: FileSystemEntry): Promise<NamedFile[]> {
  if (isFile(entry)) return [{ name: entry.name, file: await fileOf(entry) }];
  const { isHidden, isReadInFolders } = await import('@mneme/import');
  const files: NamedFile[] = [];
  const walk = async (folder: FileSystemDirectoryEntry): Promise<void> => {
    for (const child of (await childrenOf(folder)).toSorted(byName)) {
      if (isHidden(child.name)) continue;
      if (!isFile(child)) await walk(child as FileSystemDirectoryEntry);
      else if (isReadInFolders(child.name)) files.push({ name: child.fullPath.slice(1), file: await fileOf(child) });
    }
  };
  await walk(entry as FileSystemDirectoryEntry);
  return files;
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
