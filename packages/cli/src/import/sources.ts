import type { Dirent } from 'node:fs';
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Fault, type FileSource, isHidden, isReadInFolders } from '@mneme/import';
import { messageOf } from '@mneme/service-kit';

export interface FoundSources {
  readonly sources: readonly FileSource[];
  /** What cannot be read in folders: folders, and files that have no name in UTF-8 or are gone. */
  readonly faults: readonly Fault[];
  /** How many files of folders have another extension. */
  readonly passedOver: number;
}

/**
 * Finds the files that were named and those in folders that were, in the order of their names. Hidden files and links in
 * folders are passed over.
 *
 * @param directory what relative paths start from
 * @throws Error if there is no such file or folder, the folder cannot be read, or it is something else, such as a pipe: files
 * are read several times
 */
export async function findSources(paths: readonly string[], directory: string): Promise<FoundSources> {
  const sources: FileSource[] = [];
  const faults: Fault[] = [];
  let passedOver = 0;
  for (const given of paths) {
    const path = resolve(directory, given);
    const found = await stat(path).catch(() => undefined);
    if (!found) throw new Error(`There is no ${given}.`);
    if (!found.isDirectory() && !found.isFile()) {
      throw new Error(`${given} is neither a file nor a folder. Write its content to a file and import that.`);
    }
    if (found.isFile()) {
      sources.push(await fileSource(path, given, basename(path)));
      continue;
    }
    const onFault: OnFault = (name, error) => {
      faults.push({ place: join(given, name), reason: `it cannot be read: ${messageOf(error)}` });
    };
    for (const name of await filesIn(path, onFault)) {
      if (!isReadInFolders(name)) {
        passedOver += 1;
        continue;
      }
      try {
        sources.push(await fileSource(join(path, name), join(given, name), `${basename(path)}/${name}`));
      } catch (error) {
        onFault(name, error);
      }
    }
  }
  return { sources, faults, passedOver };
}

/** Takes the path of what cannot be read, from the folder that was named. */
type OnFault = (name: string, error: unknown) => void;

/** The paths of the files in a folder and below it, from there. @throws Error if the folder itself cannot be read */
async function filesIn(folder: string, onFault: OnFault): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const visible = entries.filter(({ name }) => !isHidden(name)).toSorted(byName);
  const nested = await Promise.all(
    visible.map(async (entry) => {
      if (!entry.isDirectory()) return entry.isFile() ? [entry.name] : [];
      const pathOf = (name: string) => `${entry.name}/${name}`;
      const onFaultIn: OnFault = (name, error) => onFault(pathOf(name), error);
      try {
        return (await filesIn(join(folder, entry.name), onFaultIn)).map(pathOf);
      } catch (error) {
        onFault(entry.name, error);
        return [];
      }
    }),
  );
  return nested.flat();
}

function byName(left: Dirent, right: Dirent): number {
  return left.name < right.name ? -1 : 1;
}

async function fileSource(path: string, place: string, id: string): Promise<FileSource> {
  const { size, mtime } = await stat(path);
  return {
    place,
    id,
    bytes: size,
    contentBytes: size,
    modified: mtime,
    open: () => createReadStream(path),
    read: (offset, length) => readPart(path, offset, length),
  };
}

async function readPart(path: string, offset: number, length: number): Promise<Uint8Array> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read({ buffer: new Uint8Array(length), position: offset });
  return buffer.subarray(0, bytesRead);
}
