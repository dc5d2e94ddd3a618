import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from './private-files.ts';

const fileName = 'nats-url';

/** Lets commands find the servers of a local start, which are on free ports, and log in. For the owner to read only. */
export function writeAddress(dataDir: string, natsUrl: string): void {
  // One that a killed start left keeps its mode when it is written to.
  removeAddress(dataDir);
  writeFileSync(join(dataDir, fileName), `${natsUrl}\n`, { mode: 0o600 });
}

export function removeAddress(dataDir: string): void {
  rmSync(join(dataDir, fileName), { force: true });
}

/** Where NATS of a local start is, with its credential; undefined when none runs on this folder. */
export function readAddress(dataDir: string): string | undefined {
  return readIfThere(join(dataDir, fileName));
}
