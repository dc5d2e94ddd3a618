import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What Vite has built in `packages/console`. */
export interface ConsoleFiles {
  /** The folder with the assets. */
  readonly folder: string;
  /** The page, with a nonce for the styles that its components make. */
  page(nonce: string): string;
}

/** Where the page has the nonce of a response. */
const noncePlace = '__CSP_NONCE__';

/** @returns undefined when the console has not been built */
export function findConsole(folder = builtFolder()): ConsoleFiles | undefined {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return undefined;
  const parts = readFileSync(index, 'utf8').split(noncePlace);
  return { folder, page: (nonce) => parts.join(nonce) };
}

function builtFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('@mneme/console/package.json')), 'dist');
}
