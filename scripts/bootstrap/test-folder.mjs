import fs from 'node:fs';
import { freemem, hostname } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './child.mjs';

/** A file system in memory, on Linux. */
const SHARED_MEMORY = '/dev/shm';
/** Containers that share this memory have process numbers of their own. */
const PREFIX = `mneme-tests-${hostname()}-`;
const GIB = 2 ** 30;
/** What the servers of a run of all tests store, with a reserve. */
const NEEDED_ROOM = 8 * GIB;
/** The same with all processes of the run. */
const NEEDED_MEMORY = 16 * GIB;

/**
 * Runs tests with temporary files in memory, if there is room for them: their servers then wait for no disk, which takes a
 * fifth of the time. A TMPDIR of the caller is used instead.
 *
 * @template T
 * @param {(environment: Record<string, string>) => Promise<T>} run gets the variables for the tests
 * @returns {Promise<T>}
 */
export async function withTestFolder(run) {
  if (process.env.TMPDIR || !hasRoom()) return run({});
  removeThoseOfEndedRuns();
  const folder = fs.mkdtempSync(join(SHARED_MEMORY, `${PREFIX}${process.pid}-`));
  // Some services run as another user in their tests, who has to come in.
  fs.chmodSync(folder, 0o755);
  try {
    return await run({ TMPDIR: folder });
  } finally {
    remove(folder);
  }
}

function hasRoom() {
  // Not in every release of Node 18.
  const memory = Math.min(freemem(), process.constrainedMemory?.() || Number.POSITIVE_INFINITY);
  if (memory < NEEDED_MEMORY || !fs.statfsSync || !isUsable()) return false;
  const { bavail, bsize } = fs.statfsSync(SHARED_MEMORY);
  return bavail * bsize >= NEEDED_ROOM;
}

/** Containers often have it without the right to execute what is stored there, which some tests do. */
function isUsable() {
  try {
    fs.accessSync(SHARED_MEMORY, fs.constants.W_OK);
  } catch {
    return false;
  }
  const mounts = fs.readFileSync('/proc/mounts', 'utf8').split('\n');
  const [, , type, options = ''] = mounts.map((line) => line.split(' ')).find(([, at]) => at === SHARED_MEMORY) ?? [];
  return type === 'tmpfs' && !options.split(',').includes('noexec');
}

/** A run that was killed leaves its folder, which would keep its memory until the machine is started anew. */
function removeThoseOfEndedRuns() {
  for (const name of fs.readdirSync(SHARED_MEMORY)) {
    const folder = join(SHARED_MEMORY, name);
    if (!name.startsWith(PREFIX) || fs.statSync(folder, { throwIfNoEntry: false })?.uid !== process.getuid()) continue;
    if (!isRunning(Number.parseInt(name.slice(PREFIX.length), 10))) remove(folder);
  }
}

/** Servers that are just ending may still write. */
function remove(folder) {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
