import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stack } from '../stack/stack.ts';

/** A stack, or a member of a cluster. */
interface Damaged {
  readonly servers: Pick<Stack['servers'], 'nats'>;
}

/** Overwrites a part of the first file of a stream, a third into it, while the server is down. */
export async function damageFile({ servers: { nats } }: Damaged, stream: string): Promise<void> {
  const entries = await readdir(nats.folder ?? '', { recursive: true });
  const file = entries.find((entry) => entry.includes(`/${stream}/`) && entry.endsWith('/1.blk')) ?? '';
  await nats.stop();
  const path = join(nats.folder ?? '', file);
  const bytes = await readFile(path);
  bytes.fill(0xff, Math.floor(bytes.length / 3), Math.floor(bytes.length / 3) + 64);
  await writeFile(path, bytes);
  await nats.start();
}
