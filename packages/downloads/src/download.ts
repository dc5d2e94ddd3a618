import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { extract } from 'tar';
import { ChecksumError, DownloadError } from './errors.ts';
import { messageOf, type PinnedFile, type PinnedPackage } from './pinned.ts';
import type { Registry } from './registry.ts';

export interface Download {
  pinned: PinnedPackage;
  registry: Registry;
  /** Where the tarball grows. What a download that was cut off has left there is gone on with. */
  path: string;
  onBytes: (receivedBytes: number) => void;
}

/** Tries that brought no byte; one that did is no reason to give up. */
const MAX_TRIES_IN_VAIN = 4;
/** No byte for this long counts as cut off. */
const STALL_TIMEOUT_MS = 30_000;
const RETRY_DELAY_MS = 500;

/**
 * Downloads a package's tarball and checks it.
 *
 * @throws DownloadError when it can't be reached, ChecksumError when it is not the pinned one; then nothing is kept
 */
async function downloadTarball(download: Download): Promise<void> {
  const hadBegun = (await sizeOf(download.path)) > 0;
  await downloadAnyWay(download);
  if (await isPinned(download)) return;
  await rm(download.path, { force: true });
  // What was there from an earlier time may have been bad; what came just now will not be better the next time.
  if (!hadBegun) throw checksumError(download.pinned);
  await downloadTarball(download);
}

async function downloadAnyWay(download: Download): Promise<void> {
  const { pinned, registry, path } = download;
  const url = await registry.tarballUrl(pinned).catch((cause) => {
    throw new DownloadError(messageOf(cause), { cause });
  });
  try {
    await downloadWithRetries(url, download);
  } catch (direct) {
    // A registry that wants credentials, or a proxy that only npm knows of, lets npm through and us not.
    await registry.pack(pinned, path).catch((cause) => {
      throw new DownloadError(`${messageOf(direct)}; through npm: ${messageOf(cause)}`, { cause });
    });
  }
}

async function downloadWithRetries(url: string, download: Download): Promise<void> {
  for (let triesInVain = 0; ; ) {
    const before = await sizeOf(download.path);
    try {
      return await downloadRest(url, download);
    } catch (error) {
      const isFurther = (await sizeOf(download.path)) > before;
      triesInVain = isFurther ? 0 : triesInVain + 1;
      if (triesInVain === MAX_TRIES_IN_VAIN || error instanceof DownloadError) throw error;
      await delay(RETRY_DELAY_MS);
    }
  }
}

/** Gets what is missing at the end of the file, or all of it from a server that can't send a part. */
async function downloadRest(url: string, download: Download): Promise<void> {
  const { path, pinned, onBytes } = download;
  const present = await sizeOf(path);
  if (present >= pinned.tarballBytes) return;

  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(new Error(`no byte for ${STALL_TIMEOUT_MS} ms`)), STALL_TIMEOUT_MS);
  try {
    const reply = await fetch(url, { headers: { range: `bytes=${present}-` }, signal: stalled.signal });
    if (!reply.ok || !reply.body) throw new DownloadError(`${url} answered with status ${reply.status}`);
    const isRest = reply.status === 206;
    let received = isRest ? present : 0;
    const watch = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        timer.refresh();
        received += chunk.length;
        onBytes(received);
        done(null, chunk);
      },
    });
    const file = createWriteStream(path, { flags: isRest ? 'a' : 'w' });
    await pipeline(Readable.fromWeb(reply.body), watch, file, { signal: stalled.signal });
  } finally {
    clearTimeout(timer);
  }
}

async function isPinned({ path, pinned }: Download): Promise<boolean> {
  return `sha512-${await digestOf(path, 'sha512', 'base64')}` === pinned.integrity;
}

function checksumError(pinned: PinnedPackage): ChecksumError {
  return new ChecksumError(
    `The package ${pinned.package}@${pinned.packageVersion} from the registry does not have the pinned SHA-512: ` +
      'the registry, or something on the way to it, gave other content. Nothing of it was kept.',
  );
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/** Where a file of a tarball is to be put, and with which permissions. */
export interface FileTarget {
  readonly file: PinnedFile;
  readonly path: string;
  readonly mode: number;
}

/**
 * Takes files out of a tarball. Each appears under its final name whole and checked, or none of them.
 *
 * @throws ChecksumError when one is missing or is not the pinned one
 */
export async function extractFiles(
  pinned: PinnedPackage,
  targets: readonly FileTarget[],
  tarball: string,
): Promise<void> {
  const [first] = targets;
  if (!first) return;
  const folder = await mkdtemp(join(dirname(first.path), 'extract-'));
  try {
    const wanted = new Set(targets.map(({ file }) => file.pathInTarball));
    await extract({ file: tarball, cwd: folder, filter: (path) => wanted.has(path) });
    for (const { file } of targets) await check(pinned, file, join(folder, file.pathInTarball));
    for (const { file, path, mode } of targets) {
      await chmod(join(folder, file.pathInTarball), mode);
      await rename(join(folder, file.pathInTarball), path);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function check(pinned: PinnedPackage, file: PinnedFile, path: string): Promise<void> {
  const sha256 = await digestOf(path, 'sha256', 'hex').catch(() => 'missing');
  if (sha256 === file.sha256) return;
  throw new ChecksumError(
    `${file.pathInTarball} of ${pinned.package}@${pinned.packageVersion} does not have the pinned SHA-256 ` +
      `(expected ${file.sha256}, found ${sha256}). It was not kept.`,
  );
}

/**
 * Downloads a package's tarball and takes files out of it; the tarball itself is not kept.
 *
 * @throws DownloadError, ChecksumError
 */
export async function fetchFiles(download: Download, targets: readonly FileTarget[]): Promise<void> {
  await downloadTarball(download);
  try {
    await extractFiles(download.pinned, targets, download.path);
  } finally {
    await rm(download.path, { force: true });
  }
}

/** Digest of a file's content. */
export async function digestOf(
  path: string,
  algorithm: 'sha256' | 'sha512',
  encoding: 'hex' | 'base64',
): Promise<string> {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(path), hash);
  return hash.digest(encoding);
}
