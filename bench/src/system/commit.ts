import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The abbreviated commit of this working copy, with `+` if files differ from it; `unknown` without git. */
export async function currentCommit(): Promise<string> {
  const git = async (...parameters: string[]) =>
    (await run('git', parameters, { cwd: import.meta.dirname })).stdout.trim();
  try {
    const [commit, changes] = [await git('rev-parse', '--short', 'HEAD'), await git('status', '--porcelain')];
    return changes === '' ? commit : `${commit}+`;
  } catch {
    return 'unknown';
  }
}
