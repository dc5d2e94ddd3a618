import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { namingFile, readIfThere } from './private-files.ts';

/** The files of the data folder with the addresses of NATS, with its credential, and of the gateway. */
export type AddressFile = 'nats-url' | 'gateway-url';

/** Lets commands find what a local start runs, which may be on free ports. For the owner to read only. */
export function writeAddress(dataDir: string, file: AddressFile, url: string): void {
  // One that a killed start left keeps its mode when it is written to.
  removeAddress(dataDir, file);
  try {
    writeFileSync(join(dataDir, file), `${url}\n`, { mode: 0o600 });
  } catch (error) {
    removeAddress(dataDir, file);
    throw namingFile(error, join(dataDir, file));
  }
}

export function removeAddress(dataDir: string, file: AddressFile): void {
  rmSync(join(dataDir, file), { force: true });
}

/** Undefined when no local start runs on this folder. */
export function readAddress(dataDir: string, file: AddressFile): string | undefined {
  return readIfThere(join(dataDir, file));
}
