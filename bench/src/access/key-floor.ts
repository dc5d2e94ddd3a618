import { randomBytes } from 'node:crypto';
import { makeBucket } from '@mneme/event-store';
import type { NatsConnection } from '@nats-io/nats-core';
import { type Latency, latencyOf } from '../timing/samples.ts';

/**
 * The least that looking a key up and counting its request can take where nothing is kept or done together: one read and one
 * compare-and-set, of KV buckets that are made like those of the system.
 */
export async function measureKeyFloor(connection: NatsConnection, rounds: number): Promise<Latency> {
  const settings = { description: 'A floor', history: 1, replicas: 1 };
  const records = await makeBucket(connection, { name: 'bench-keys', ...settings });
  const usage = await makeBucket(connection, { name: 'bench-usage', ...settings, persistMode: 'async' });
  const key = randomBytes(32).toString('hex');
  // As large as the records of the system are.
  await records.put(key, 'x'.repeat(180));
  const value = 'x'.repeat(900);
  let revision = await usage.create(key, value);
  const durations: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await records.get(key);
    revision = await usage.update(key, value, revision);
    durations.push(performance.now() - startedAt);
  }
  return latencyOf(durations);
}
