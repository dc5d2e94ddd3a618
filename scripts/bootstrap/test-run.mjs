import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { BootstrapError } from './bootstrap-error.mjs';
import { runChild } from './child.mjs';
import { cache, root } from './places.mjs';

const REPORT = join(root, '.test-results/vitest.json');
const INTERRUPTED = 130;
const ENVIRONMENT = {
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  DO_NOT_TRACK: '1',
  // What is installed has just been compared with the lockfile; pnpm need not do it again for every script.
  pnpm_config_verify_deps_before_run: 'false',
  // Hundreds of processes start with the same code.
  NODE_COMPILE_CACHE: join(cache, 'compiled'),
  ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
};

/**
 * Checks types and style, runs the tests, and ends with one line: how many passed, failed and were skipped.
 * A step that fails, and a test file that could not be run, count as failed.
 *
 * @param {string[]} only what the paths of the tests to run contain, such as `packages/models`; none: all tests
 * @param {Record<string, string>} [environment] of the tests
 * @returns {Promise<number>} 0 when nothing failed
 */
export async function runTests(toolchain, only, environment = {}) {
  mkdirSync(dirname(REPORT), { recursive: true });
  rmSync(REPORT, { force: true });
  const failures = [];
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => (isInterrupted = true));
  for (const [name, step] of steps(toolchain, only, environment)) {
    if ((await step()) !== 0) failures.push(name);
    if (isInterrupted) return INTERRUPTED;
  }
  return summarise(readReport(), failures);
}

/** Runs tests and writes which lines of this process they reached; what runs in other processes does not count. */
export function runCoverage(toolchain, only) {
  return run(toolchain, {}, 'vitest', 'run', '--coverage', ...only);
}

function run(toolchain, environment, command, ...parameters) {
  const options = { environment: { ...ENVIRONMENT, ...environment }, ownSession: true };
  return runChild(toolchain, join(root, 'node_modules/.bin', command), parameters, options);
}

function* steps(toolchain, only, environment) {
  // One program of all packages: each by itself would read what they share again.
  const flags = ['--continue=always', '--env-mode=loose', '--output-logs=new-only', '--log-order=grouped'];
  yield ['typecheck or lint', () => run(toolchain, {}, 'turbo', 'run', '//#typecheck', '//#lint', ...flags)];
  if (process.env.MNEME_TEST_STACK !== 'containers') {
    const fetchServers = join(root, 'packages/local-stack/src/fetch-servers.ts');
    yield ['the servers that the tests need', () => runChild(toolchain, 'node', [fetchServers])];
  }
  const fetchModel = join(root, 'packages/models/src/minilm/fetch-model.ts');
  yield ['the embedding model that the tests need', () => runChild(toolchain, 'node', [fetchModel])];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];
  yield ['test run', () => run(toolchain, environment, 'vitest', 'run', ...reporters, ...only)];
}

/** @throws BootstrapError when the tests ended without a report */
function readReport() {
  if (!existsSync(REPORT)) throw new BootstrapError('The tests ended without results; see above.');
  return JSON.parse(readFileSync(REPORT, 'utf8'));
}

function summarise({ testResults }, failures) {
  const folders = new Map();
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { name, status, assertionResults } of testResults) {
    const counts = countOf(status, assertionResults);
    const folder = folderOf(name);
    const before = folders.get(folder) ?? { passed: 0, failed: 0 };
    folders.set(folder, { passed: before.passed + counts.passed, failed: before.failed + counts.failed });
    for (const key of Object.keys(total)) total[key] += counts[key];
  }
  // A test run that failed because tests failed is not one more failure.
  const others = failures.filter((name) => name !== 'test run' || total.failed === 0);
  console.log('');
  for (const [folder, { passed, failed }] of [...folders].sort()) {
    console.log(`${folder}: ${passed} passed, ${failed} failed`);
  }
  for (const name of others) console.log(`FAILED ${name}`);
  const failed = total.failed + others.length;
  console.log(`${total.passed} passed, ${failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
  return failed === 0 ? 0 : 1;
}

function countOf(status, assertionResults) {
  const having = (...wanted) => assertionResults.filter((test) => wanted.includes(test.status)).length;
  const failed = having('failed');
  // A file that could not be run has no failed test.
  const isBroken = status === 'failed' && failed === 0;
  return { passed: having('passed'), failed: isBroken ? 1 : failed, skipped: having('pending', 'todo', 'skipped') };
}

/** Such as `packages/models`, or `tests`. */
function folderOf(file) {
  const [area, name] = relative(root, file).split(/[\\/]/);
  return area === 'tests' ? area : `${area}/${name}`;
}
