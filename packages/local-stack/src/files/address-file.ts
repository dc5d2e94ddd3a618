import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, writePrivateFile } from './private-files.ts';

const fileName = 'nats-url';

/** Lets commands find the servers of a local start, which are on free ports, and log in. For the owner to read only. */
export function writeAddress(dataDir: string, natsUrl: string): Promise<void> {
  return writePrivateFile(join(dataDir, fileName), `${natsUrl}\n`);
}

export function removeAddress(dataDir: string): void {
  rmSync(join(dataDir, fileName), { force: true });
}

/** Where NATS of a local start is, with its credential; undefined when none runs on this folder. */
export function readAddress(dataDir: string): string | undefined {
  return readIfThere(join(dataDir, fileName));
}
