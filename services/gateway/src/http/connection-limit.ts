import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';

/** The share of the file descriptors of the process that connections may take; the rest is for NATS, stores and files. */
const descriptorShare = 2 / 3;

/**
 * Bounds the connections of a server by what the process may open, where that is known (Linux). Without a bound, callers could
 * keep it from connecting to NATS again.
 * @param onRefused called for each connection that is closed for that
 */
export async function limitConnections(server: Server, onRefused: (() => void) | undefined): Promise<void> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, descriptors] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  if (descriptors === undefined) return;
  server.maxConnections = Math.floor(Number(descriptors) * descriptorShare);
  server.on('drop', () => onRefused?.());
}
