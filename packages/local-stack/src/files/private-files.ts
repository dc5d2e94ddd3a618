import { readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const PERMISSIONS = 0o777;
/** A folder for all users of the machine, such as `/tmp`. */
const STICKY = 0o1000;

/** Makes a folder that only its owner can enter; one that is there and open to others is closed to them. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  await restrict(path, FOLDER_MODE);
}

/** Writes a file that only its owner can read, whole or not at all. */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await rm(draft, { force: true });
  try {
    await writeFile(draft, content, { mode: FILE_MODE, flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw namingFile(error, path);
  }
}

/** The system names no file when a write fails, as on a full disk: the error with the file in its message. Others stay as they are. */
export function namingFile(error: unknown, path: string): unknown {
  const isNameless = error instanceof Error && 'syscall' in error && !('path' in error);
  if (isNameless) error.message += ` '${path}'`;
  return error;
}

/** What a file of one line holds; undefined when there is no such file. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Closes a data folder to others: the folder itself and everything in `subfolders`, which earlier releases made
 * readable. A subfolder that is closed already is not looked into, so that a usual start costs nothing. Other files
 * beside the subfolders stay as they are: the folder may hold more than this data.
 */
export async function closeDataFolder(dataDir: string, subfolders: readonly string[]): Promise<void> {
  await makePrivateFolder(dataDir);
  for (const name of subfolders) {
    const folder = join(dataDir, name);
    if (await isOpen(folder)) await closeTree(folder);
  }
}

async function closeTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) {
    if (entry.isDirectory()) await closeTree(join(folder, entry.name));
    else if (entry.isFile()) await restrict(join(folder, entry.name), FILE_MODE);
  }
  // Last, so that a repair that was interrupted begins again at the next start.
  await restrict(folder, FOLDER_MODE);
}

async function isOpen(path: string): Promise<boolean> {
  return stat(path).then(
    ({ mode }) => (mode & PERMISSIONS & ~FOLDER_MODE) !== 0,
    () => false,
  );
}

/** What belongs to another user, such as a folder that was mounted, stays as it is: this process may not change it. */
async function restrict(path: string, mode: number): Promise<void> {
  try {
    const { mode: now } = await stat(path);
    const isShared = (now & STICKY) !== 0;
    if (!isShared && (now & PERMISSIONS & ~mode) !== 0) await chmod(path, now & mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'ENOENT') throw error;
  }
}
