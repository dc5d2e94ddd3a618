import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const settings = 'SECRET=of the command line\n';
/** They print to standard output, as pnpm and some bundlers do. */
const pnpm = (version: string) => `#!/bin/sh
if [ "$1" = --version ]; then echo ${version}; exit; fi
echo 'Progress: resolved 500'
mkdir -p node_modules
`;
const bundler = `
import { mkdirSync, writeFileSync } from 'node:fs';
console.log('The bundles are complete');
const folder = process.argv[2] + '/packages/cli/src';
mkdirSync(folder, { recursive: true });
writeFileSync(folder + '/main.mjs', ${JSON.stringify(`process.stdout.write(${JSON.stringify(settings)});`)});
`;

/** A new clone of what installs and bundles, without packages, and with a stand-in for pnpm and the bundler. */
async function newClone() {
  const parent = await mkdtemp(join(tmpdir(), 'mneme-bootstrap-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const [folder, bin] = [join(parent, 'clone'), join(parent, 'bin')];
  for (const name of ['bin', 'clone/packages', 'clone/services', 'clone/examples'])
    await mkdir(join(parent, name), { recursive: true });
  for (const name of ['scripts', 'package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'])
    await cp(join(root, name), join(folder, name), { recursive: true });
  const { dependencies } = JSON.parse(await readFile(join(folder, 'scripts/toolchain/package.json'), 'utf8'));
  await writeFile(join(bin, 'pnpm'), pnpm(dependencies.pnpm), { mode: 0o755 });
  await writeFile(join(folder, 'scripts/bundle-services.mjs'), bundler);
  const environment = { PATH: [bin, process.env.PATH].join(delimiter), XDG_CACHE_HOME: join(parent, 'cache') };
  return {
    folder,
    /** Runs `mneme secrets`, also as root without the right to write where the mode of a folder forbids it. */
    secrets: (own: Readonly<Record<string, string>> = {}) => {
      const command = [process.execPath, 'scripts/run.mjs', 'mneme', 'secrets'];
      if (process.getuid?.() === 0) command.unshift('setpriv', '--bounding-set=-dac_override');
      const [program = '', ...parameters] = command;
      return run(program, parameters, { cwd: folder, env: { ...environment, ...own } });
    },
  };
}

test('the first command in a clone prints nothing but its own output to standard output', async () => {
  const clone = await newClone();
  const { stdout, stderr } = await clone.secrets();
  expect(stdout).toBe(settings);
  for (const line of ['Progress: resolved 500', 'The bundles are complete']) expect(stderr).toContain(line);
});

test('where the cache cannot be made, one sentence names it and what to set', async () => {
  const clone = await newClone();
  const cache = join(clone.folder, 'package.json');
  const refused: { code: number; stderr: string } = await clone.secrets({ XDG_CACHE_HOME: cache }).catch((it) => it);
  expect(refused.code).toBe(1);
  expect(refused.stderr.trim()).toMatch(/^Mneme cannot write [^\n]*XDG_CACHE_HOME[^\n]*$/);
  expect(refused.stderr).toContain(join(cache, 'mneme'));
});

test('a clone that cannot be written runs what was built, and says in one sentence that it builds nothing new', async () => {
  const clone = await newClone();
  await clone.secrets();
  const bundles = join(clone.folder, 'node_modules/.cache/mneme/bundles');
  const folders = [bundles, ...(await readdir(bundles)).map((name) => join(bundles, name))];
  for (const folder of folders) await chmod(folder, 0o555);
  onTestFinished(async () => {
    for (const folder of folders) await chmod(folder, 0o755);
  });
  expect(await clone.secrets()).toEqual({ stdout: settings, stderr: '' });
  await writeFile(join(clone.folder, 'scripts/bundle-services.mjs'), `${bundler}// Changed`);
  const refused: { code: number; stderr: string } = await clone.secrets().catch((it) => it);
  expect(refused.code).toBe(1);
  const [, ...advice] = refused.stderr.trim().split('\n').filter(Boolean);
  expect(advice).toEqual([expect.stringMatching(/^Mneme cannot write .*\/bundles\/.*folder of the repository/)]);
});
