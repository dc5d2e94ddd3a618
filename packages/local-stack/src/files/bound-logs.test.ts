import { appendFileSync, closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { boundLogs } from './bound-logs.ts';

const bounds = { maxBytes: 1_000, intervalMs: 10 };
let folder: string;
let file: string;
let end: () => void = () => {};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mneme-test-'));
  file = join(folder, 'a.log');
});
afterEach(async () => {
  end();
  await rm(folder, { recursive: true, force: true });
});

const sizeOf = async (path: string) => (await stat(path)).size;

it('puts a log aside that has grown too large, and its writer goes on in the emptied file', async () => {
  const log = openSync(file, 'a', 0o600);
  end = boundLogs([{ file }], bounds);
  writeSync(log, 'a'.repeat(1_001));
  await waitUntil(async () => (await sizeOf(file)) === 0, 5_000);
  const aside = await stat(`${file}.1`);
  expect([aside.size, aside.mode & 0o777]).toEqual([1_001, 0o600]);
  writeSync(log, 'b');
  closeSync(log);
  expect(await readFile(file, 'utf8')).toBe('b');
});

it('leaves a log alone that is not too large, and goes on when one is missing', async () => {
  const small = join(folder, 'small.log');
  await writeFile(small, 'a'.repeat(1_000));
  await writeFile(file, 'a'.repeat(1_001));
  end = boundLogs([{ file: join(folder, 'missing.log') }, { file: small }, { file }], bounds);
  await waitUntil(async () => (await sizeOf(file)) === 0, 5_000);
  expect(await sizeOf(small)).toBe(1_000);
});

it('loses nothing of a writer that opens its file anew', async () => {
  let log = openSync(file, 'a');
  const reopen = () => {
    closeSync(log);
    log = openSync(file, 'a');
  };
  end = boundLogs([{ file, reopen }], bounds);
  writeSync(log, 'a'.repeat(1_001));
  await waitUntil(async () => (await sizeOf(`${file}.1`)) === 1_001, 5_000);
  await waitUntil(async () => (await sizeOf(file)) === 0, 5_000);
  writeSync(log, 'b');
  closeSync(log);
  expect(await readFile(file, 'utf8')).toBe('b');
});

it('keeps one earlier log, so that both together stay bounded', async () => {
  end = boundLogs([{ file }], bounds);
  for (const letter of ['a', 'b']) {
    appendFileSync(file, letter.repeat(1_001));
    await waitUntil(async () => (await sizeOf(file)) === 0, 5_000);
  }
  expect(await readFile(`${file}.1`, 'utf8')).toBe('b'.repeat(1_001));
});
