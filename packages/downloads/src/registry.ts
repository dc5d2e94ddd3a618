import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { PinnedPackage } from './pinned.ts';

/** The package registry, as the user's npm is set up to reach it. */
export interface Registry {
  /** Address of the package's tarball. */
  tarballUrl(pinned: PinnedPackage): Promise<string>;
  /** Puts the tarball at `path` without telling how far it is. */
  pack(pinned: PinnedPackage, path: string): Promise<void>;
}

const run = promisify(execFile);
const VIEW_TIMEOUT_MS = 60_000;
const PACK_TIMEOUT_MS = 900_000;

/** Asks npm itself, so that its registry, proxy, certificates and credentials hold here as well. */
export function createNpmRegistry(environment: NodeJS.ProcessEnv): Registry {
  const npm = (parameters: string[], timeout: number) =>
    run('npm', [...parameters, '--loglevel=error', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'], {
      env: environment,
      timeout,
    });
  return {
    async tarballUrl(pinned) {
      const { stdout } = await npm(['view', specOf(pinned), 'dist.tarball'], VIEW_TIMEOUT_MS);
      return stdout.trim();
    },
    async pack(pinned, path) {
      const folder = await mkdtemp(join(dirname(path), 'pack-'));
      try {
        await npm(['pack', specOf(pinned), '--ignore-scripts', '--pack-destination', folder], PACK_TIMEOUT_MS);
        const [tarball] = await readdir(folder);
        if (!tarball) throw new Error(`npm pack ${specOf(pinned)} left no file.`);
        await rename(join(folder, tarball), path);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

function specOf(pinned: PinnedPackage): string {
  return `${pinned.package}@${pinned.packageVersion}`;
}
