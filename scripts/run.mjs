// The one entry of `npm start`, `npm test`, `npm run mneme`, `npm run example` and `npm run bench`.
// It has to run on Node 18 with nothing installed, so: plain JavaScript, and nothing but Node's own modules.
import { runBench } from './bootstrap/bench-run.mjs';
import { BootstrapError, report } from './bootstrap/bootstrap-error.mjs';
import { bundled } from './bootstrap/bundles.mjs';
import { givesMemoryBack, runChild } from './bootstrap/child.mjs';
import { buildConsole } from './bootstrap/console.mjs';
import { runExample } from './bootstrap/example-run.mjs';
import { findLongTests } from './bootstrap/long-tests.mjs';
import { runCoverage, runTests } from './bootstrap/test-run.mjs';
import { findToolchain } from './bootstrap/toolchain.mjs';
import { installWorkspace } from './bootstrap/workspace.mjs';

const commands = {
  // In a session of its own: a Ctrl-C then comes once, through here, and not also from npm and the terminal.
  start: async (toolchain, parameters) => {
    const options = { ownSession: true, environment: givesMemoryBack };
    return runChild(toolchain, 'node', [await bundled(toolchain, 'services/standalone'), ...parameters], options);
  },
  mneme: async (toolchain, parameters) =>
    runChild(toolchain, 'node', [await bundled(toolchain, 'packages/cli'), ...parameters]),
  bench: (toolchain, parameters) => runBench(toolchain, parameters),
  example: (toolchain, parameters) => runExample(toolchain, parameters),
  test: (toolchain, parameters) => runTests(toolchain, parameters),
  coverage: (toolchain, parameters) => runCoverage(toolchain, parameters),
  'test:faults': (toolchain, parameters) => {
    const only = parameters.length > 0 ? parameters : findLongTests();
    return runTests(toolchain, only, { MNEME_TEST_FAULTS: 'full' });
  },
};

/** What serves the console, or tests it. */
const withConsole = new Set(['start', 'test', 'coverage', 'test:faults']);

// Windows has no `exec`: there, `npm start` comes here by what follows `||` in package.json.
const windowsRefusal =
  'Mneme does not run on Windows itself: use `docker compose up`, or run this command in WSL 2 with Debian or Ubuntu.';

async function main([name, ...parameters]) {
  const command = commands[name];
  if (!command) throw new BootstrapError(`Say what to run: ${Object.keys(commands).join(', ')}.`);
  if (process.platform === 'win32') throw new BootstrapError(windowsRefusal);
  const toolchain = await findToolchain();
  await installWorkspace(toolchain);
  if (withConsole.has(name)) await buildConsole(toolchain);
  return command(toolchain, parameters);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  report(error);
}
