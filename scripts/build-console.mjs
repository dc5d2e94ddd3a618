// Builds the console if its sources have changed. `npm start` and `npm test` do the same by themselves.
import { BootstrapError } from './bootstrap/bootstrap-error.mjs';
import { buildConsole } from './bootstrap/console.mjs';
import { findToolchain } from './bootstrap/toolchain.mjs';

try {
  await buildConsole(await findToolchain());
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error;
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}
