import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { BootstrapError } from './bootstrap-error.mjs';
import { withLock } from './lock.mjs';
import { cache, root } from './places.mjs';
import { shortHash } from './sources.mjs';

const run = promisify(execFile);
const MIN_NODE_MAJOR = 24;
const FETCH_TIMEOUT_MS = 900_000;
// Without a network npm would otherwise keep trying for more than a minute.
const NPM_RETRIES = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
const NPM_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...NPM_RETRIES];
const source = join(root, 'scripts/toolchain');
const wanted = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
const pnpmVersion = wanted.dependencies.pnpm;

/**
 * Finds Node 24 and the pnpm that the lockfile is written by, or fetches them into the cache, once.
 *
 * @returns {Promise<{ path: string }>} the PATH on which `node` and `pnpm` are found
 */
export async function findToolchain() {
  const isNodeGood = Number(process.versions.node.split('.')[0]) >= MIN_NODE_MAJOR;
  const folder = join(cache, `toolchain-${hashOfLockfile()}`);
  if (!existsSync(folder)) {
    if (isNodeGood && (await hasPnpm())) return { path: pathWith(dirname(process.execPath)) };
    await withLock(`${folder}.lock`, () => existsSync(folder) || fetchToolchain(folder));
  }
  const bin = join(folder, 'node_modules/.bin');
  if (isNodeGood) return { path: pathWith(dirname(process.execPath), bin) };
  if (await runsHere(join(bin, 'node'))) return { path: pathWith(bin) };
  throw new BootstrapError(
    `Mneme needs Node ${MIN_NODE_MAJOR} or newer, this is ${process.versions.node}, and the package registry has none ` +
      `that runs on this machine (${process.platform}-${process.arch}). Install it (macOS: \`brew install node@${MIN_NODE_MAJOR}\`; ` +
      'others: https://nodejs.org/en/download), or use `docker compose up`.',
  );
}

/** The whole toolchain appears under its name at once, so that one that was cut off is never used. */
async function fetchToolchain(folder) {
  console.error(`Fetching Node ${MIN_NODE_MAJOR} and pnpm ${pnpmVersion} (about 60 MB, once)...`);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(source, name), join(unfinished, name));
  try {
    const parameters = ['ci', ...NPM_FLAGS, '--prefix', unfinished];
    await run('npm', parameters, { cwd: unfinished, timeout: FETCH_TIMEOUT_MS });
  } catch (error) {
    throw new BootstrapError(
      `Mneme needs Node ${MIN_NODE_MAJOR} and pnpm ${pnpmVersion}, and npm could not fetch them:\n${error.stderr || error.message}\n` +
        'Check the network and `npm config get registry`, or install both yourself, or use `docker compose up`.',
    );
  }
  renameSync(unfinished, folder);
}

/** The registry's Node is not there for every platform, and needs glibc on Linux. */
async function runsHere(node) {
  return run(node, ['--version']).then(
    () => true,
    () => false,
  );
}

async function hasPnpm() {
  // Outside of the repository, where pnpm does not turn itself into the version that package.json asks for.
  const printed = await run('pnpm', ['--version'], { cwd: tmpdir() }).catch(() => undefined);
  return printed?.stdout.trim() === pnpmVersion;
}

function pathWith(...folders) {
  return [...folders, process.env.PATH].join(delimiter);
}

function hashOfLockfile() {
  return shortHash(readFileSync(join(source, 'package-lock.json')));
}
