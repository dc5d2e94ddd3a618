import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jetstream, jetstreamManager, StoreCompression } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, it } from 'vitest';
import { startTestNats } from '../testing/test-server.ts';
import { BUCKETS_BYTES, configuredMaxStoreBytes, maxStoreBytes } from './nats.ts';

const gibibyte = 1024 ** 3;

it('stores three quarters of the free space besides what is stored already', () => {
  expect(maxStoreBytes({ fileBytes: 2 * gibibyte, freeBytes: 100 * gibibyte })).toBe(77 * gibibyte);
  expect(maxStoreBytes({ fileBytes: 2 * gibibyte, freeBytes: 0 })).toBe(2 * gibibyte);
});

it('has room for all buckets on a disk with little free space, since nothing starts without them', () => {
  expect(maxStoreBytes({ fileBytes: 0, freeBytes: gibibyte })).toBe(BUCKETS_BYTES);
});

it('never stores less than the server counts, however well the log compresses', () => {
  const full = { fileBytes: 2 * gibibyte, freeBytes: 4 * gibibyte };
  const counted = (stored: number, reserved = 1) => ({
    counted: { storedBytes: stored * gibibyte, reservedBytes: reserved * gibibyte },
  });
  expect(maxStoreBytes({ ...full, ...counted(20) })).toBe(23 * gibibyte);
  expect(maxStoreBytes({ ...full, ...counted(1) })).toBe(5 * gibibyte);
  expect(maxStoreBytes({ ...full, ...counted(1, 8) })).toBe(8 * gibibyte);
  expect(maxStoreBytes({ ...full, formerBytes: 20 * gibibyte })).toBe(20 * gibibyte);
  expect(maxStoreBytes({ ...full, formerBytes: gibibyte })).toBe(5 * gibibyte);
});

/** Stores messages that compress to a hundredth. @returns what the server counts */
async function fill(url: string): Promise<number> {
  const connection = await connect({ servers: url });
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: 'L', subjects: ['L'], compression: StoreCompression.S2 });
  const body = Buffer.alloc(1024 ** 2, 'compressible ');
  for (let sent = 0; sent < 8; sent += 1) await jetstream(connection).publish('L', body);
  const { storage } = await manager.getAccountInfo();
  await connection.close();
  return storage;
}

it('goes by what the server counted when it was stopped, and by its former limit when it was killed', async () => {
  await using nats = await startTestNats();
  const { server, folder } = nats;
  const file = join(folder, 'counted.json');
  const storedBytes = await fill(server.url);
  expect(storedBytes).toBeGreaterThan(8 * 1024 ** 2);
  await server.stop();
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    storedBytes,
    reservedBytes: 0,
    limitBytes: await configuredMaxStoreBytes(folder),
  });

  // As if all but the files had grown, beyond any disk.
  const petabyte = 1024 ** 5;
  const counted = { storedBytes: petabyte, reservedBytes: 0, limitBytes: await configuredMaxStoreBytes(folder) };
  await writeFile(file, JSON.stringify(counted));
  await server.start();
  const limit = (await configuredMaxStoreBytes(folder)) ?? 0;
  expect(limit).toBeGreaterThan(petabyte);
  await server.kill();
  await server.start();
  expect(await configuredMaxStoreBytes(folder)).toBeGreaterThanOrEqual(limit);
  await server.restart();
  expect(await configuredMaxStoreBytes(folder), 'it is counted anew').toBeLessThan(petabyte);
});

it('stores as much as it is told', async () => {
  await using nats = await startTestNats({ maxStoreBytes: 4 * 1024 ** 2 });
  await expect(fill(nats.server.url)).rejects.toMatchObject({ code: 10_023 });
});
