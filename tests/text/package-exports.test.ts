import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Packages with an index file that are not published: only this repository imports them. */
const internal = readdirSync(join(root, 'packages')).filter(
  (name) => existsSync(join(root, 'packages', name, 'src/index.ts')) && isPrivate(name),
);

function isPrivate(name: string): boolean {
  return JSON.parse(read(`packages/${name}/package.json`)).private === true;
}

const sources = ['packages', 'services', 'tests', 'bench', 'examples', 'scripts'].flatMap((folder) =>
  globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: root, exclude: (path) => path.includes('node_modules') }),
);

/** The names in the braces of the imports or exports from a module. */
function namesIn(text: string, keyword: 'import' | 'export', module: string): string[] {
  const statements = text.matchAll(new RegExp(`${keyword} (?:type )?\\{([^}]*)\\} from '${module}'`, 'g'));
  return [...statements].flatMap(([, names = '']) =>
    names.split(',').map((name) =>
      name
        .replace(/ as .*/, '')
        .replace('type ', '')
        .trim(),
    ),
  );
}

function unusedExports(name: string): string[] {
  const exported = namesIn(read(`packages/${name}/src/index.ts`), 'export', "[^']+").filter((each) => each !== '');
  const others = sources.filter((file) => !file.startsWith(`packages/${name}/`));
  const imported = new Set(others.flatMap((file) => namesIn(read(file), 'import', `@mneme/${name}`)));
  return exported.filter((each) => !imported.has(each));
}

describe('every name that the index exports is imported elsewhere:', () => {
  it.each(internal)('packages/%s', (name) => {
    expect(unusedExports(name)).toEqual([]);
  });
});
