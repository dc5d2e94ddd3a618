import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning } from './child.mjs';

const POLL_MS = 200;

/**
 * Does the work while no other process does it. A lock whose process is gone is taken over.
 * (Two that take over the same one in the same instant could both go on; npm and pnpm bear that.)
 */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  while (!tryTake(file)) {
    if (isHolderGone(file)) rmSync(file, { force: true });
    else await delay(POLL_MS);
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

function isHolderGone(file) {
  try {
    const holder = Number(readFileSync(file, 'utf8'));
    // Empty: just made, and about to be written.
    return holder > 0 && !isRunning(holder);
  } catch {
    // It was given back meanwhile.
    return false;
  }
}
