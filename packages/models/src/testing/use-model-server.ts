import { afterAll, afterEach, beforeAll } from 'vitest';
import { type ModelServer, type ModelServerOptions, startModelServer } from './model-server.ts';

/** A stand-in for the tests of a file; after each test it has no replies and no requests. */
export function useModelServer(options: ModelServerOptions = {}): ModelServer {
  const server: Partial<ModelServer> = {};
  beforeAll(async () => {
    Object.assign(server, await startModelServer(options));
  });
  afterEach(() => server.reset?.());
  afterAll(() => server.stop?.());
  return server as ModelServer;
}
