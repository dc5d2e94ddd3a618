import type { ServerName } from './servers/server.ts';

/**
 * The official images, for tests in containers; `docker-compose.yml` has the same. Of NATS the one with a shell, which
 * waiting for a port needs.
 */
export const serverImages: Readonly<Record<ServerName, string>> = {
  nats: 'nats:2.14.5-alpine',
  mongod: 'mongo:8.0',
  qdrant: 'qdrant/qdrant:v1.16.3',
};
