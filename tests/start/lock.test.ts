import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../system/eventually.ts';

const script = pathToFileURL(join(import.meta.dirname, '../../scripts/bootstrap/lock.mjs')).href;
const { withLock }: { withLock<T>(file: string, work: () => T): Promise<T> } = await import(script);

const timeout = 30_000;
/** One that runs, and is not this one. */
const other = process.ppid;
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);

/** A lock as another start has left it. */
async function lockFile(content: string, made = new Date()): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-lock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'install.lock');
  await writeFile(file, content);
  await utimes(file, made, made);
  return file;
}

test.each<[string, string, Date]>([
  ['names this process, as after the restart of a container', String(process.pid), new Date()],
  ['was made before the machine was started', String(other), new Date(0)],
  ['is empty, as after a power loss', '', secondsAgo(10)],
  ['has no process in it', '\0\0\0\0', secondsAgo(10)],
])('a lock that %s is taken over', { timeout }, async (_, content, made) => {
  const file = await lockFile(content, made);
  expect(await withLock(file, () => 'done')).toBe('done');
});

test('a start that waits says once what for; a lock that was just made is not taken over', { timeout }, async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => printed.mockRestore());
  const file = await lockFile('');
  const working = withLock(file, () => 'done');
  // The other process writes its id only now.
  await writeFile(file, String(other));
  await eventually('it is said', () => printed.mock.calls.length > 0);
  // Several looks at the lock.
  await delay(700);
  expect(printed.mock.calls).toEqual([[expect.stringContaining(`process ${other}, which holds the lock ${file}.`)]]);
  await rm(file);
  expect(await working).toBe('done');
});
