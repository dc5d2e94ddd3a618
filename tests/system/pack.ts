import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Packs a package as it is published. @param packageFolder of it @param into a folder with no other tarball @returns the tarball */
export async function pack(packageFolder: string, into: string): Promise<string> {
  await promisify(execFile)('pnpm', ['pack', '--pack-destination', into], { cwd: packageFolder });
  return join(into, (await readdir(into)).find((name) => name.endsWith('.tgz')) ?? '');
}
