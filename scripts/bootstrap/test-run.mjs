import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError } from './bootstrap-error.mjs';
import { runChild } from './child.mjs';
import { cache, root } from './places.mjs';
import { packageFolders } from './workspace.mjs';

const REPORT = '.test-results/vitest.json';
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
 * Checks and tests all packages, and ends with one line: how many tests passed, failed and were skipped.
 * A step that fails, a package without a report and a test file that could not be run count as failed.
 *
 * @param {string[]} only folders of the packages to test, such as `packages/models`; all of them when there are none
 * @returns {Promise<number>} 0 when nothing failed
 */
export async function runTests(toolchain, only) {
  const tested = packageFolders().filter((folder) => hasTests(folder) && (only.length === 0 || only.includes(folder)));
  if (tested.length < only.length) throw new BootstrapError(`Packages with tests among ${only}: ${tested}.`);
  for (const folder of tested) rmSync(join(root, folder, REPORT), { force: true });
  const failures = [];
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => (isInterrupted = true));
  for (const [name, step] of steps(toolchain, tested)) {
    if ((await step()) !== 0) failures.push(name);
    if (isInterrupted) return INTERRUPTED;
  }
  const results = tested.map(readReport);
  for (const { folder, problem } of results) if (problem) failures.push(`${folder}: ${problem}`);
  return summarise(results, failures);
}

function* steps(toolchain, tested) {
  const turbo = (tasks, more) => {
    const flags = ['--continue=always', '--env-mode=loose', '--output-logs=new-only', '--log-order=grouped'];
    const turboBinary = join(root, 'node_modules/.bin/turbo');
    return runChild(toolchain, turboBinary, ['run', ...tasks, ...flags, ...more], {
      environment: ENVIRONMENT,
      ownSession: true,
    });
  };
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];
  yield ['typecheck, lint or build', () => turbo(['typecheck', '//#lint', 'build'], ['--concurrency=2'])];
  if (process.env.MNEME_TEST_STACK !== 'containers') {
    const fetchServers = join(root, 'packages/local-stack/src/fetch-servers.ts');
    yield ['the servers that the tests need', () => runChild(toolchain, 'node', [fetchServers])];
  }
  const test = (folders) => {
    const filters = folders.map((folder) => `--filter=./${folder}`);
    return turbo(['test'], ['--concurrency=1', ...filters, '--', ...reporters]);
  };
  yield ['test run', async () => Math.max(...(await Promise.all(lanes(tested).map(test))))];
}

/**
 * What is tested side by side. The tests of the whole system take longest, and wait most of the time. The packages
 * beside them take turns, since the test files of one already use every core.
 */
function lanes(tested) {
  const isWhole = (folder) => folder === 'tests';
  return [tested.filter(isWhole), tested.filter((folder) => !isWhole(folder))].filter(({ length }) => length > 0);
}

function hasTests(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).scripts?.test !== undefined;
}

function readReport(folder) {
  const file = join(root, folder, REPORT);
  const none = { folder, passed: 0, failed: 0, skipped: 0 };
  if (!existsSync(file)) return { ...none, problem: 'no test results' };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const isBroken = ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
  const broken = report.testResults.filter(isBroken).length;
  const problems = [
    ...(report.numTotalTests === 0 ? ['no tests'] : []),
    ...(broken > 0 ? [`${broken} test files could not be run`] : []),
  ];
  return {
    folder,
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    problem: problems.join(', '),
  };
}

function summarise(results, failures) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped');
  const failedTests = sum('failed');
  // A test run that failed because tests failed is not one more failure.
  const others = failures.filter((name) => name !== 'test run' || (failedTests === 0 && failures.length === 1));
  console.log('');
  for (const { folder, passed, failed } of results) console.log(`${folder}: ${passed} passed, ${failed} failed`);
  for (const name of others) console.log(`FAILED ${name}`);
  const failed = failedTests + others.length;
  console.log(`${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed === 0 ? 0 : 1;
}
