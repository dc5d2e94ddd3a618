import { existsSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { BootstrapError } from './bootstrap-error.mjs';
import { root } from './places.mjs';

/** @throws BootstrapError when the tests ended without a report */
export function readReport(file) {
  if (!existsSync(file)) throw new BootstrapError('The tests ended without results; see above.');
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** An earlier one would be taken for that of a run that ends without. */
export function removeReport(file) {
  rmSync(file, { force: true });
}

/** @returns {string[]} absolute paths of the test files in which something failed */
export function failedFiles({ testResults }) {
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
}

/** @returns {string[]} which of the files passed in a run, from the root of the repository */
export function passedFiles({ testResults }, files) {
  const passed = new Set(testResults.filter(({ status }) => status === 'passed').map(({ name }) => name));
  return files.filter((name) => passed.has(name)).map((name) => relative(root, name));
}

/**
 * Prints what passed and failed by folder, and in all.
 *
 * @param {string[]} failures the names of the steps that failed
 * @param {string} testRun which of them ran the tests
 * @param {string[]} passedAlone files that failed, but not when they were run once more by themselves
 * @returns {number} 0 when nothing failed
 */
export function summarise({ testResults }, failures, testRun, passedAlone) {
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
  const others = failures.filter((name) => name !== testRun || total.failed === 0);
  console.log('');
  for (const [folder, { passed, failed }] of [...folders].sort()) {
    console.log(`${folder}: ${passed} passed, ${failed} failed`);
  }
  for (const name of passedAlone) console.log(`${name}: FAILED beside other tests, passed alone`);
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
