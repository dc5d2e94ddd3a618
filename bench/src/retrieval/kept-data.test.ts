import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKeptData } from './kept-data.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mneme-bench-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a set is stored once for each configuration', async () => {
  const first = await openKeptData(folder, 'chats', 'builtin:words');
  expect(first.stored).toBeUndefined();
  await first.noteStored({ run: 'r1', storeSeconds: 2 });
  expect(await openKeptData(folder, 'chats', 'builtin:words')).toMatchObject({
    folder: first.folder,
    stored: { run: 'r1', storeSeconds: 2 },
  });
  const other = await openKeptData(folder, 'chats', 'builtin:minilm');
  expect(other.stored).toBeUndefined();
  expect(other.folder).not.toBe(first.folder);
});
