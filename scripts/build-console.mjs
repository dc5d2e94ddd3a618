// Builds the console if its sources have changed. `npm start` and `npm test` do the same by themselves.
import { report } from './bootstrap/bootstrap-error.mjs';
import { buildConsole } from './bootstrap/console.mjs';
import { findToolchain } from './bootstrap/toolchain.mjs';

try {
  await buildConsole(await findToolchain());
} catch (error) {
  report(error);
}
