import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError } from './bootstrap-error.mjs';
import { prepare } from './child.mjs';
import { lockFile, withLock } from './lock.mjs';
import { root } from './places.mjs';
import { hashOfSources } from './sources.mjs';

const folder = join(root, 'packages/console');
const stamp = join(folder, 'dist/.sources');
/** What the built files follow from. */
const sources = [
  'packages/console/src',
  'packages/console/index.html',
  'packages/console/package.json',
  'packages/console/vite.config.ts',
  'packages/client/src',
  'packages/import/src',
  'packages/contracts/src',
  'pnpm-lock.yaml',
];

/** Builds the console, unless that has been done from exactly these sources. Takes a few seconds. */
export async function buildConsole(toolchain) {
  if (isBuilt()) return;
  await withLock(lockFile('console'), async () => {
    if (isBuilt()) return;
    console.error('Building the console...');
    const built = hashOfSources(sources);
    const vite = join(folder, 'node_modules/.bin/vite');
    // A test run has another one, with which React would be built for development.
    const options = { environment: { NODE_ENV: 'production' } };
    if ((await prepare(toolchain, vite, ['build', '--logLevel', 'warn', folder], options)) !== 0) {
      throw new BootstrapError('The console could not be built; Vite says why above.');
    }
    writeFileSync(stamp, built);
  });
}

function isBuilt() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOfSources(sources);
}
