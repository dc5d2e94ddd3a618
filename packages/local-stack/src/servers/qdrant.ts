import { join } from 'node:path';
import { makePrivateFolder } from '../files/private-files.ts';
import { explainDamage, type ServerAccess, type ServerDefinition } from './server.ts';

export const qdrantDefinition: ServerDefinition = {
  name: 'qdrant',
  addressVariable: 'QDRANT_URL',
  secretName: 'qdrant-api-key',
  // It waits for connections that clients keep open, which it closes 5 s after their last request.
  stopTimeoutMs: 8_000,
  urlOf,
  settingsOf: (access) => ({
    QDRANT_URL: urlOf(access),
    ...(access.secret !== undefined && { QDRANT_API_KEY: access.secret }),
  }),

  async launch({ folder, port, secret }) {
    await makePrivateFolder(folder);
    return {
      arguments: ['--disable-telemetry'],
      environment: {
        QDRANT__LOG_LEVEL: 'WARN',
        QDRANT__SERVICE__HOST: '127.0.0.1',
        QDRANT__SERVICE__HTTP_PORT: String(port),
        // Nothing here speaks gRPC, and it can't be switched off: 0 lets the system choose, so that it never clashes.
        QDRANT__SERVICE__GRPC_PORT: '0',
        // By default any web page may call it, and it serves a dashboard.
        QDRANT__SERVICE__ENABLE_CORS: 'false',
        QDRANT__SERVICE__ENABLE_STATIC_CONTENT: 'false',
        ...(secret !== undefined && { QDRANT__SERVICE__API_KEY: secret }),
        QDRANT__STORAGE__STORAGE_PATH: join(folder, 'storage'),
        QDRANT__STORAGE__SNAPSHOTS_PATH: join(folder, 'snapshots'),
      },
    };
  },

  async prepare({ port, secret }) {
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`, {
      headers: { connection: 'close', ...(secret !== undefined && { 'api-key': secret }) },
      signal: AbortSignal.timeout(2_000),
    });
    await reply.body?.cancel();
    if (!reply.ok) throw new Error(`qdrant is not ready: status ${reply.status}`);
  },

  explainFailure: (log, folder) => explainDamage(log, /Panic occurred in|^Error: Service internal error/m, { folder }),
};

function urlOf({ port }: ServerAccess): string {
  return `http://127.0.0.1:${port}`;
}
