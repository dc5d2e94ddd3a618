import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError } from './bootstrap-error.mjs';
import { runChild } from './child.mjs';
import { root } from './places.mjs';

const folder = join(root, 'examples');

/**
 * Runs an example, a folder of `examples` with a `main.ts`.
 *
 * @param {string[]} parameters the example's name, then what it is to be told
 */
export function runExample(toolchain, [name = '', ...parameters]) {
  const names = readdirSync(folder).filter((each) => existsSync(join(folder, each, 'main.ts')));
  if (names.includes(name)) return runChild(toolchain, 'node', [join(folder, name, 'main.ts'), ...parameters]);
  throw new BootstrapError(`There is no example '${name}' among: ${names.join(', ')}.`);
}
