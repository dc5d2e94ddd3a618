import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The frame of the console shows its areas, which use the client and the session that the frame has made. */
const exceptions = ['packages/console'];

const workspaces = ['services', 'packages'].flatMap((group) =>
  readdirSync(join(root, group))
    .map((name) => `${group}/${name}`)
    .filter((workspace) => existsSync(join(root, workspace, 'src')) && !exceptions.includes(workspace)),
);

/** Which top folders of a workspace's sources each of them imports. Files beside the folders wire them together. */
function importsOf(workspace: string): ReadonlyMap<string, ReadonlySet<string>> {
  const sources = join(root, workspace, 'src');
  const folders = new Map<string, Set<string>>();
  for (const file of globSync('*/**/*.{ts,tsx}', { cwd: sources })) {
    const from = folderOf(file);
    if (/\.test\.tsx?$/.test(file) || from === 'testing') continue;
    const imported = folders.get(from) ?? folders.set(from, new Set()).get(from);
    for (const [, path = ''] of readFileSync(join(sources, file), 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const to = relative(sources, join(sources, dirname(file), path));
      if (to.includes('/') && !to.startsWith('..') && folderOf(to) !== from) imported?.add(folderOf(to));
    }
  }
  return folders;
}

const folderOf = (file: string) => file.slice(0, file.indexOf('/'));

/** Folders that lead back to the first one, if there are any. */
function cycleIn(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const done = new Set<string>();
  const search = (folder: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder];
    if (done.has(folder)) return undefined;
    for (const next of graph.get(folder) ?? []) {
      const found = search(next, [...path, folder]);
      if (found) return found;
    }
    done.add(folder);
    return undefined;
  };
  for (const folder of graph.keys()) {
    const found = search(folder, []);
    if (found) return found;
  }
  return undefined;
}

describe('the folders of', () => {
  it.each(workspaces)('%s import each other in one direction only', (workspace) => {
    expect(cycleIn(importsOf(workspace))).toBeUndefined();
  });
});

it('a cycle is found, and shown', () => {
  const graph = { a: ['b'], b: ['c', 'd'], c: [], d: ['b'] };
  const sets = Object.entries(graph).map(([folder, imported]) => [folder, new Set(imported)] as const);
  expect(cycleIn(new Map(sets))).toEqual(['b', 'd', 'b']);
  expect(cycleIn(new Map(sets.slice(0, 3)))).toBeUndefined();
});
