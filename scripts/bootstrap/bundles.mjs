import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError, isUnwritable } from './bootstrap-error.mjs';
import { isRunning, prepare } from './child.mjs';
import { lockFile, withLock } from './lock.mjs';
import { root } from './places.mjs';
import { hashOfSources, shortHash } from './sources.mjs';
import { packageFolders } from './workspace.mjs';

const bundler = 'scripts/bundle-services.mjs';
const bundles = join(root, 'node_modules/.cache/mneme/bundles');
/** How many are kept in any case. */
const kept = 3;
/** Of the names of files that say which process uses a bundle. */
const userPrefix = 'used-by-';

/**
 * Bundles the services and the command line, unless that has been done from exactly these sources. Takes two seconds.
 *
 * @returns {Promise<string>} the folder with the bundles, each under the path of its source
 */
export async function bundleServices(toolchain) {
  const sources = hashOfSources([bundler, 'pnpm-lock.yaml', ...sourceFolders()], isBundled);
  // They name the places of their sources, so they are of no use in a repository that was moved or copied.
  const folder = join(bundles, shortHash(`${root}\0${sources}`));
  if (!existsSync(folder)) await withLock(lockFile('bundles'), () => existsSync(folder) || bundle(toolchain, folder));
  use(folder);
  return folder;
}

/**
 * Keeps a bundle for as long as this process lives: those that it starts load threads from there at any time. Where the
 * folder cannot be written, nothing removes it either.
 */
function use(folder) {
  try {
    for (const [name, pid] of usersOf(folder)) if (!isRunning(pid)) rmSync(join(folder, name), { force: true });
    writeFileSync(join(folder, userPrefix + process.pid), '');
  } catch (error) {
    if (!isUnwritable(error)) throw error;
  }
}

/** The file to run for a service or the command line. @param {string} folder of its package, such as `packages/cli` */
export async function bundled(toolchain, folder) {
  return join(await bundleServices(toolchain), folder, 'src/main.mjs');
}

/** The folder appears under its name at once, so that one that was cut off is never used. */
async function bundle(toolchain, folder) {
  console.error('Bundling the services...');
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  if ((await prepare(toolchain, 'node', [join(root, bundler), unfinished])) !== 0) {
    throw new BootstrapError('The services could not be bundled; the reason is above.');
  }
  renameSync(unfinished, folder);
  const byAge = readdirSync(bundles)
    .map((name) => join(bundles, name))
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  for (const old of byAge.slice(kept).filter(isUnused)) rmSync(old, { recursive: true, force: true });
}

function isUnused(folder) {
  return !usersOf(folder).some(([, pid]) => isRunning(pid));
}

/** @returns {[name: string, pid: number][]} */
function usersOf(folder) {
  const names = readdirSync(folder).filter((name) => name.startsWith(userPrefix));
  return names.map((name) => [name, Number(name.slice(userPrefix.length))]);
}

function sourceFolders() {
  const isSource = (folder) => /^(packages|services)\//.test(folder) && folder !== 'packages/console';
  return packageFolders()
    .filter(isSource)
    .map((folder) => `${folder}/src`)
    .filter((folder) => existsSync(join(root, folder)));
}

function isBundled(path) {
  return !path.endsWith('.test.ts');
}
