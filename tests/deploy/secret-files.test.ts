import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
/** Where the commands of the documentation write secrets, in a clone. */
const files = new Set([...page.matchAll(/mneme (?:-- )?secrets[^\n>`]*> ([^\s)]+)/g)].map(([, file = '']) => file));

test.skipIf(!existsSync(join(root, '.git')))('git ignores the files that the documentation writes secrets to', () => {
  expect([...files]).toEqual(['.env', 'secrets.env']);
  const ignored = execFileSync('git', ['check-ignore', ...files], { cwd: root, encoding: 'utf8' });
  expect(ignored.trim().split('\n')).toEqual([...files]);
});

test('a container that prints secrets has them written to a file for its owner only', () => {
  const commands = page.split('\n').filter((line) => /docker run .* mneme secrets >/.test(line));
  expect(commands).not.toEqual([]);
  for (const command of commands) expect(command).toMatch(/^\(umask 077; .*\)$/);
});
