import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What is fetched once for all clones: the toolchain, and the servers' binaries. */
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'mneme');
