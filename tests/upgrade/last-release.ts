import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from '@mneme/downloads';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
/** Stands for the last release in copies of the repository that have no tags. */
const untagged = '27e597ddfc8971ccb6fb37d14b999dfe074c7974';

/** The commit of the newest tag `v*`; undefined when this copy of the repository has not got its files. */
export async function lastRelease(): Promise<string | undefined> {
  const git = async (...parameters: string[]) => (await run('git', parameters, { cwd: root })).stdout.trim();
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v*').catch(() => untagged);
  return git('rev-parse', '--verify', `${tag}^{tree}`, '--').then(
    async () => (await git('rev-parse', `${tag}^{commit}`)).split('\n')[0],
    () => undefined,
  );
}

/** A folder with the files of a commit and the packages that its lockfile names. */
export async function installRelease(commit: string): Promise<string> {
  const folder = join(cacheFolder(process.env, 'releases'), commit.slice(0, 12));
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true });
    const archive = `${unfinished}.tar`;
    await run('git', ['archive', '--output', archive, commit], { cwd: root });
    await run('tar', ['--extract', '--file', archive, '--directory', unfinished]);
    await rm(archive);
    const parameters = [
      'install',
      '--frozen-lockfile',
      '--prefer-offline',
      '--ignore-scripts',
      '--config.trustLockfile=true',
    ];
    await run('pnpm', parameters, { cwd: unfinished, env: { ...process.env, CI: '1' } });
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}
