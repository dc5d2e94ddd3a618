import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleServices } from './bundles.mjs';
import { runChild } from './child.mjs';
import { cache, root } from './places.mjs';
import { withTestFolder } from './test-folder.mjs';
import { failedFiles, passedFiles, readReport, removeReport, summarise } from './test-report.mjs';

const REPORT = join(root, '.test-results/vitest.json');
const REPORT_ALONE = join(root, '.test-results/alone.json');
/** More of them than this are worth more than the time that it takes. */
const MOST_RUN_ALONE = 4;
const INTERRUPTED = 130;
const TEST_RUN = 'test run';
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
 * A step that fails, and a test file that could not be run, count as failed. Where a few files of a run of all tests
 * failed, they are run once more, one after another, to say which of them depend on time or on other tests. They count
 * as failed all the same: most failures that came and went were faults of the system.
 *
 * @param {string[]} only what the paths of the tests to run contain, such as `packages/models`; none: all tests
 * @param {Record<string, string>} [environment] of the tests
 * @returns {Promise<number>} 0 when nothing failed
 */
export function runTests(toolchain, only, environment = {}) {
  return withTestFolder(async (folder) => {
    const MNEME_BUNDLES = await bundleServices(toolchain);
    return runSteps(toolchain, only, { ...environment, ...folder, MNEME_BUNDLES });
  });
}

async function runSteps(toolchain, only, environment) {
  mkdirSync(dirname(REPORT), { recursive: true });
  removeReport(REPORT);
  const failures = [];
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => (isInterrupted = true));
  for (const [name, step] of steps(toolchain, only, environment)) {
    if ((await step()) !== 0) failures.push(name);
    if (isInterrupted) return INTERRUPTED;
  }
  const report = readReport(REPORT);
  const passedAlone = only.length === 0 ? await runAlone(toolchain, environment, failedFiles(report)) : [];
  return summarise(report, failures, TEST_RUN, passedAlone);
}

/** @returns which of the files that failed pass when nothing runs beside them; none if there are many */
async function runAlone(toolchain, environment, files) {
  if (files.length === 0 || files.length > MOST_RUN_ALONE) return [];
  console.log('\nRunning the files that failed once more, one after another:');
  removeReport(REPORT_ALONE);
  await runVitest(toolchain, { ...environment, MNEME_TEST_WORKERS: '1' }, REPORT_ALONE, files);
  return existsSync(REPORT_ALONE) ? passedFiles(readReport(REPORT_ALONE), files) : [];
}

/** Runs tests and writes which lines of this process they reached; what runs in other processes does not count. */
export function runCoverage(toolchain, only) {
  return withTestFolder((folder) => run(toolchain, folder, 'vitest', 'run', '--coverage', ...only));
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
  yield [TEST_RUN, () => runVitest(toolchain, environment, REPORT, only)];
}

function runVitest(toolchain, environment, report, only) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return run(toolchain, environment, 'vitest', 'run', ...reporters, ...only);
}
