import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError } from './bootstrap-error.mjs';
import { prepare } from './child.mjs';
import { lockFile, withLock } from './lock.mjs';
import { root } from './places.mjs';
import { hashOfSources } from './sources.mjs';

const stamp = join(root, 'node_modules/.mneme-installed');

/** Installs what the lockfile says, unless that has been done for exactly this lockfile and these packages. */
export async function installWorkspace(toolchain) {
  if (isInstalled()) return;
  await withLock(lockFile('install'), async () => {
    if (isInstalled()) return;
    console.error('Installing the packages of the lockfile...');
    // A folder that another pnpm has made is replaced without a question that no one may be there to answer.
    const unasked = ['--config.confirmModulesPurge=false', '--config.updateNotifier=false'];
    // Its hashes decide what is installed. Otherwise pnpm asks the registry about the age of each of 500 packages.
    const trusted = ['--frozen-lockfile', '--config.trustLockfile=true'];
    const parameters = ['install', ...trusted, '--reporter=append-only', ...unasked];
    const code = await prepare(toolchain, 'pnpm', parameters);
    if (code !== 0) {
      throw new BootstrapError(
        'The packages could not be installed; pnpm says why above. Check the network and `npm config get registry`.',
      );
    }
    writeFileSync(stamp, hashOfWorkspace());
  });
}

/** Folders of all packages, relative to the repository's. */
export function packageFolders() {
  const inside = (folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
  const folders = [...inside('packages'), ...inside('services'), ...inside('examples'), 'bench', 'tests'];
  return folders.filter((folder) => existsSync(join(root, folder, 'package.json')));
}

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOfWorkspace();
}

function hashOfWorkspace() {
  const manifests = packageFolders().map((folder) => `${folder}/package.json`);
  return hashOfSources(['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests]);
}
