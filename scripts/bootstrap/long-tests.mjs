import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { root } from './places.mjs';

/** By which a test does more at full length; see packages/local-stack/src/testing/scaled.ts. */
const isScaled = /\b(?:scaled|casesOf)[<(]|\batFullLength(?:\)| \?)/;

/**
 * The test files that do more at full length: those that scale something, and those that import a file which does.
 *
 * @returns {string[]} paths from the root
 */
export function findLongTests() {
  const sources = sourceFolders().flatMap(sourcesIn);
  const scaling = sources.filter(({ text }) => isScaled.test(text));
  const helpers = scaling.filter(({ path }) => !isTest(path)).map(({ path }) => `/${basename(path)}'`);
  const tests = sources.filter(({ path }) => isTest(path));
  const long = tests.filter(({ text }) => isScaled.test(text) || helpers.some((helper) => text.includes(helper)));
  return long.map(({ path }) => relative(root, path));
}

function sourceFolders() {
  const ofWorkspace = ['packages', 'services'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'src')),
  );
  return [join(root, 'tests'), ...ofWorkspace].filter((folder) => statSync(folder, { throwIfNoEntry: false }));
}

function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourcesIn(path);
    return path.endsWith('.ts') ? [{ path, text: readFileSync(path, 'utf8') }] : [];
  });
}

function isTest(path) {
  return path.endsWith('.test.ts');
}
