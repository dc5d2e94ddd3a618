import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './places.mjs';

/**
 * A hash of files and of the folders below, by which one knows whether something was built from exactly these.
 *
 * @param {string[]} paths from the root of the repository
 * @param {(path: string) => boolean} [counts] whether a file counts, by its path
 */
export function hashOfSources(paths, counts = () => true) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap((path) => filesBelow(join(root, path))).filter(counts)) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** For the names of files. */
export function shortHash(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}
