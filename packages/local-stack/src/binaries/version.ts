import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { PinnedBinary } from './pinned.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 10_000;

/** Why a binary that was found on PATH can't be used; `undefined` when it can. */
export async function reasonTooOld(path: string, binary: PinnedBinary): Promise<string | undefined> {
  const printed = await run(path, ['--version'], { timeout: TIMEOUT_MS }).catch(() => undefined);
  const version = /(\d+)\.(\d+)\.\d+/.exec(printed?.stdout ?? '');
  if (!version) return 'it does not tell its version';
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const [oldestMajor, oldestMinor] = binary.oldest;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `its version ${version[0]} is older than ${binary.oldest.join('.')}`;
}
