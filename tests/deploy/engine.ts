import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
/** A build downloads packages; on a machine that also does other work it may take many minutes. */
const commandMs = 900_000;

/** Whether tests may use a container engine, which takes minutes, and there is one with compose. */
export function hasEngine(): boolean {
  if (process.env.MNEME_TEST_STACK !== 'containers') return false;
  try {
    execFileSync('docker', ['compose', 'ls'], { stdio: 'ignore', timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

/** @returns what it printed */
export async function docker(...parameters: string[]): Promise<string> {
  const { stdout } = await run('docker', parameters, { cwd: root, timeout: commandMs, maxBuffer: 1e8 });
  return stdout.trim();
}

/** docker-compose.yml under a name, with settings and volumes of its own. */
export interface Project {
  compose(...parameters: string[]): Promise<string>;
  setEnvironment(text: string): void;
  /** Removes containers, networks, volumes and settings. */
  remove(): Promise<void>;
}

export function createProject(): Project {
  const name = `mneme-test-${randomBytes(4).toString('hex')}`;
  const folder = mkdtempSync(join(tmpdir(), 'mneme-test-'));
  const file = join(folder, 'env');
  const compose = (...parameters: string[]) =>
    docker('compose', '--project-name', name, '--env-file', file, ...parameters);
  return {
    compose,
    setEnvironment: (text) => writeFileSync(file, text, { mode: 0o600 }),
    remove: async () => {
      await compose('down', '--volumes', '--timeout', '5');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
