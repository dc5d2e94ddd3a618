import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tryLock } from './file-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mneme-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Whether another process gets the lock. */
async function isFree(path: string): Promise<boolean> {
  const program = `
    import { tryLock } from ${JSON.stringify(import.meta.resolve('./file-lock.ts'))};
    console.log(tryLock(${JSON.stringify(path)}) !== undefined);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  return stdout.trim() === 'true';
}

it('a lock is held against other processes, also after this process has asked for it again', async () => {
  const path = join(folder, 'a.lock');
  const lock = tryLock(path);
  expect(lock).toBeDefined();
  expect(await isFree(path)).toBe(false);
  expect(tryLock(path)).toBeUndefined();
  expect(await isFree(path)).toBe(false);
  lock?.release();
  expect(await isFree(path)).toBe(true);
  const again = tryLock(path);
  expect(again).toBeDefined();
  again?.release();
});
