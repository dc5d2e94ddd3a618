import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileName = 'nats-url';

/** Lets commands find the servers of a local start, which are on free ports. */
export function writeAddress(dataDir: string, natsUrl: string): void {
  writeFileSync(join(dataDir, fileName), `${natsUrl}\n`);
}

export function removeAddress(dataDir: string): void {
  rmSync(join(dataDir, fileName), { force: true });
}

/** Where NATS of a local start is; undefined when none runs on this folder. */
export function readAddress(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, fileName), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
