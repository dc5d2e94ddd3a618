import { join } from 'node:path';

const bundles = process.env.MNEME_BUNDLES;
/** The file of the command: `npm test` has bundled it, so that it starts sooner. */
export const main: string = bundles
  ? join(bundles, 'packages/cli/src/main.mjs')
  : join(import.meta.dirname, '../main.ts');
