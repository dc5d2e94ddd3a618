import type { Server, ServerName } from './server.ts';

/**
 * A server that somebody else runs: it is used, and never started or stopped.
 *
 * @param variable the environment variable that holds its address
 */
export function createExternalServer(name: ServerName, variable: string, url: string): Server {
  const refuse = () => Promise.reject(new Error(`${name} at ${url} is not run by this stack.`));
  return {
    name,
    url,
    settings: { [variable]: url },
    pid: undefined,
    folder: undefined,
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    kill: refuse,
    restart: refuse,
  };
}
