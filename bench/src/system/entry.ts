import { join } from 'node:path';

const { MNEME_BUNDLES: bundles } = process.env;
const root = join(import.meta.dirname, '../../..');

/** The file that starts a service, as `npm start` runs it; the source where `npm run bench` has bundled nothing. */
export function entryOf(service: string): string {
  return bundles ? join(bundles, 'services', service, 'src/main.mjs') : join(root, 'services', service, 'src/main.ts');
}
