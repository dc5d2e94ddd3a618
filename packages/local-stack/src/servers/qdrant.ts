import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerDefinition } from '../server.ts';

export const qdrantDefinition: ServerDefinition = {
  name: 'qdrant',
  addressVariable: 'QDRANT_URL',
  // It waits for clients that keep connections open; every write is in its log by then.
  stopTimeoutMs: 2_000,
  urlOf: (port) => `http://127.0.0.1:${port}`,

  async launch({ folder, port }) {
    await mkdir(folder, { recursive: true });
    return {
      arguments: ['--disable-telemetry'],
      environment: {
        QDRANT__LOG_LEVEL: 'WARN',
        QDRANT__SERVICE__HOST: '127.0.0.1',
        QDRANT__SERVICE__HTTP_PORT: String(port),
        // Nothing here speaks gRPC, and it can't be switched off: 0 lets the system choose, so that it never clashes.
        QDRANT__SERVICE__GRPC_PORT: '0',
        QDRANT__STORAGE__STORAGE_PATH: join(folder, 'storage'),
        QDRANT__STORAGE__SNAPSHOTS_PATH: join(folder, 'snapshots'),
      },
    };
  },

  async prepare(port) {
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(2_000),
    });
    await reply.body?.cancel();
    if (!reply.ok) throw new Error(`qdrant is not ready: status ${reply.status}`);
  },
};
