import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

export interface FileLock {
  release(): void;
}

const SQLITE_BUSY = 5;

/**
 * Takes an exclusive lock that the operating system drops when this process ends, however it ends.
 * A file with a process id in it can't promise that: ids are used again, and two takers of a stale file race.
 * Node has no file locks of its own, but the SQLite in it takes them; no data is ever written.
 *
 * @param path file that stands for the lock; made when it is missing, and left there
 * @returns `undefined` when another process, or another caller in this one, holds the lock
 */
export function tryLock(path: string): FileLock | undefined {
  // Closing any descriptor of a file drops all locks that this process has on it, so an existing file is left to SQLite.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

const LOCK_POLL_MS = 200;

/** Waits for the lock. @param onWaiting called once when another holder has it */
export async function waitForLock(path: string, onWaiting: () => void): Promise<FileLock> {
  for (let isFirst = true; ; isFirst = false) {
    const lock = tryLock(path);
    if (lock) return lock;
    if (isFirst) onWaiting();
    await delay(LOCK_POLL_MS);
  }
}
