import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning } from './child.mjs';
import { cache, root } from './places.mjs';
import { shortHash } from './sources.mjs';

const POLL_MS = 200;
/** A lock names its process as soon as it is made. After this time, one that names none is what a failed write has left. */
const WRITTEN_WITHIN_MS = 5_000;

/** What one process at a time does in this repository, such as `install`. @returns the file of its lock */
export function lockFile(kind) {
  return join(cache, `${kind}-${shortHash(root)}.lock`);
}

/**
 * Does the work while no other process does it. A lock whose process is gone is taken over. Within one process, a file is
 * for one call at a time.
 * (Two that take over the same one in the same instant could both go on; npm and pnpm bear that.)
 */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  let isTold = false;
  while (!tryTake(file)) {
    const lock = readLock(file);
    if (lock && isGone(lock)) {
      rmSync(file, { force: true });
      continue;
    }
    if (lock?.holder && !isTold) {
      console.error(
        `Waiting for process ${lock.holder}, which holds the lock ${file}. If it is not Mneme, delete the file.`,
      );
      isTold = true;
    }
    await delay(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function tryTake(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** @returns undefined if it was given back meanwhile */
function readLock(file) {
  // In this order: what can no longer be read has no time either, or that of the next lock.
  const holder = readHolder(file);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats && { holder, madeMs: stats.mtimeMs };
}

/** @returns undefined if no process is named */
function readHolder(file) {
  try {
    const text = readFileSync(file, 'utf8');
    return /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Ids of processes are used again: after a reboot by any other one, and in a restarted container often by this one. */
function isGone({ holder, madeMs }) {
  if (holder === undefined) return Date.now() - madeMs > WRITTEN_WITHIN_MS;
  return holder === process.pid || madeMs < Date.now() - uptime() * 1000 || !isRunning(holder);
}
