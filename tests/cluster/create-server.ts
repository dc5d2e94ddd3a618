import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server } from '@mneme/local-stack';
import { createTestServer, type ServerDefinition } from '@mneme/local-stack/testing';

/** Makes a server that has to be started yet; `name` is that of its folder. */
export type CreateServer = (member: {
  readonly name: string;
  readonly definition: ServerDefinition;
  readonly secret?: string;
}) => Promise<Server>;

/** Makes servers in one folder. @param closing is told how to end them and to remove the folder */
export async function inOneFolder(closing: AsyncDisposableStack): Promise<CreateServer> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-test-'));
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  return async ({ name, ...options }) => {
    const server = await createTestServer({ ...options, folder: join(folder, name) });
    closing.defer(() => server.kill());
    return server;
  };
}
