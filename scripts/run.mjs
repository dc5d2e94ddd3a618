// The one entry of `npm start`, `npm test`, `npm run mneme` and `npm run bench`.
// It has to run on Node 18 with nothing installed, so: plain JavaScript, and nothing but Node's own modules.
import { join } from 'node:path';
import { runBench } from './bootstrap/bench-run.mjs';
import { BootstrapError } from './bootstrap/bootstrap-error.mjs';
import { runChild } from './bootstrap/child.mjs';
import { root } from './bootstrap/places.mjs';
import { runCoverage, runTests } from './bootstrap/test-run.mjs';
import { findToolchain } from './bootstrap/toolchain.mjs';
import { installWorkspace } from './bootstrap/workspace.mjs';

const cli = join(root, 'packages/cli/src/main.ts');
const standalone = join(root, 'services/standalone/src/main.ts');

/** Without these the C library keeps most of the memory that a burst of large requests took. */
const givesMemoryBack = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

const commands = {
  // In a session of its own: a Ctrl-C then comes once, through here, and not also from npm and the terminal.
  start: (toolchain, parameters) => {
    const options = { ownSession: true, environment: givesMemoryBack };
    return runChild(toolchain, 'node', [standalone, ...parameters], options);
  },
  mneme: (toolchain, parameters) => runChild(toolchain, 'node', [cli, ...parameters]),
  bench: (toolchain, parameters) => runBench(toolchain, parameters),
  test: (toolchain, parameters) => runTests(toolchain, parameters),
  coverage: (toolchain, parameters) => runCoverage(toolchain, parameters),
  'test:faults': (toolchain, parameters) => {
    const only = parameters.length > 0 ? parameters : ['tests/failures'];
    return runTests(toolchain, only, { MNEME_TEST_FAULTS: 'full' });
  },
};

async function main([name, ...parameters]) {
  const command = commands[name];
  if (!command) throw new BootstrapError(`Say what to run: ${Object.keys(commands).join(', ')}.`);
  const toolchain = await findToolchain();
  await installWorkspace(toolchain);
  return command(toolchain, parameters);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error;
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}
