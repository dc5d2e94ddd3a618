import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findSources } from './sources.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-import-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('folders are read in order, without hidden files, links and other kinds of files', async () => {
  const folder = await newFolder();
  await mkdir(join(folder, 'notes/deep'), { recursive: true });
  await mkdir(join(folder, 'notes/.git'));
  for (const name of ['b.md', 'deep/a.txt', '.git/c.md', '.hidden.md', 'cat.png']) {
    await writeFile(join(folder, 'notes', name), `About ${name}.`);
  }
  await symlink(join(folder, 'notes/b.md'), join(folder, 'notes/link.md'));
  const { sources, passedOver } = await findSources(['notes'], folder);
  expect(sources.map(({ id }) => id)).toEqual(['notes/b.md', 'notes/deep/a.txt']);
  expect(passedOver).toBe(1);
  expect(Buffer.from((await sources[1]?.read(6, 100)) ?? []).toString()).toBe('deep/a.txt.');
  await expect(findSources(['nowhere'], folder)).rejects.toThrow('There is no nowhere.');
});

test('what cannot be read in a folder is a fault, and the rest is found', async () => {
  const folder = await newFolder();
  await mkdir(join(folder, 'notes/deep'), { recursive: true });
  await writeFile(join(folder, 'notes/a.md'), 'About a.');
  await writeFile(join(folder, 'notes/deep/b.md'), 'About b.');
  // Names in Latin-1 cannot be read as UTF-8, and what they are read as does not exist.
  const latin1 = (name: string) => Buffer.from(join(folder, 'notes', name), 'latin1');
  await writeFile(latin1('deep/caf\u00e9.md'), 'About coffee.');
  await mkdir(latin1('r\u00e9sum\u00e9'));
  const { sources, faults, passedOver } = await findSources(['notes'], folder);
  expect(sources.map(({ id }) => id)).toEqual(['notes/a.md', 'notes/deep/b.md']);
  expect(faults.toSorted((left, right) => left.place.localeCompare(right.place))).toEqual([
    { place: 'notes/deep/caf\ufffd.md', reason: expect.stringContaining('it cannot be read: ENOENT') },
    { place: 'notes/r\ufffdsum\ufffd', reason: expect.stringContaining('it cannot be read: ENOENT') },
  ]);
  expect(passedOver).toBe(0);
});

test('what can be read only once is refused', async () => {
  const folder = await newFolder();
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const refusal = 'pipe is neither a file nor a folder. Write its content to a file and import that.';
  await expect(findSources(['pipe'], folder)).rejects.toThrow(refusal);
  await symlink('pipe', join(folder, 'stdin'));
  await expect(findSources(['stdin'], folder)).rejects.toThrow('stdin is neither');
});
