import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { BootstrapError } from './bootstrap-error.mjs';
import { bundleServices } from './bundles.mjs';
import { givesMemoryBack, prepare, runChild } from './child.mjs';
import { root } from './places.mjs';

const folder = join(root, 'bench/src');
const peers = join(root, 'bench/peers');
/** The systems under measurement run as `npm start` runs them. */
async function asStarted(toolchain) {
  return { environment: { ...givesMemoryBack, MNEME_BUNDLES: await bundleServices(toolchain) } };
}

/**
 * Runs a benchmark: a file of `bench/src`, or a folder of `bench/peers`, whose own packages are installed when it is first asked for.
 *
 * @param {string[]} parameters the benchmark's name, then what it is to be told
 */
export async function runBench(toolchain, [name = '', ...parameters]) {
  const file = join(folder, `${name}.ts`);
  if (name && existsSync(file)) return runChild(toolchain, 'node', [file, ...parameters], await asStarted(toolchain));
  const peer = /^peers\/([\w-]+)$/.exec(name)?.[1];
  if (peer && existsSync(join(peers, peer))) return runPeer(toolchain, join(peers, peer), parameters);
  throw new BootstrapError(`There is no benchmark '${name}' among: ${benchmarks().join(', ')}.`);
}

function benchmarks() {
  const own = readdirSync(folder).filter((entry) => entry.endsWith('.ts'));
  return [...own.map((entry) => entry.slice(0, -'.ts'.length)), ...readdirSync(peers).map((peer) => `peers/${peer}`)];
}

async function runPeer(toolchain, peer, parameters) {
  const stamp = join(peer, 'node_modules/.mneme-installed');
  const lockfile = readFileSync(join(peer, 'package-lock.json'), 'utf8');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lockfile) {
    console.error('Installing what this benchmark compares with (once; minutes where it has to be compiled)...');
    const environment = headersBeside(toolchain);
    const code = await prepare(toolchain, 'npm', ['ci', '--no-audit', '--no-fund', '--prefix', peer], { environment });
    if (code !== 0)
      throw new BootstrapError('The packages of the benchmark could not be installed; npm says why above.');
    writeFileSync(stamp, lockfile);
  }
  return runChild(toolchain, 'node', [join(peer, 'main.ts'), ...parameters], await asStarted(toolchain));
}

/** What is compiled has to be compiled for the Node that will run it, whose headers often lie beside it. */
function headersBeside({ path }) {
  const node = path
    .split(delimiter)
    .map((bin) => join(bin, 'node'))
    .find(existsSync);
  const home = node && dirname(dirname(realpathSync(node)));
  return home && existsSync(join(home, 'include/node')) ? { npm_config_nodedir: home } : {};
}
