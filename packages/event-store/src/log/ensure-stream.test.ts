import { DiscardPolicy, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import { describe, expect, it } from 'vitest';
import { connectTo, context, counted, useTestLog } from '../testing/test-log.ts';
import { assertCluster, ensureStream } from './ensure-stream.ts';

const log = useTestLog();

describe('ensureStream', () => {
  it('makes a stream that refuses rather than drops, and changes it without losing a message', async () => {
    const options = { name: log.stream, subjects: [`${log.stream}.>`], replicas: 1 };
    await log.store.append(`${log.stream}.a`, [counted(1)], 0, context);
    await ensureStream(log.connection, options);
    await ensureStream(log.connection, { ...options, subjects: [`${log.stream}.>`, `${log.stream}-more.>`] });
    await log.store.append(`${log.stream}-more.a`, [counted(2)], 0, context);
    expect(await log.store.load(`${log.stream}.a`)).toMatchObject({ revision: 1 });
    const { config } = await (await jetstreamManager(log.connection)).streams.info(log.stream);
    expect(config).toMatchObject({ storage: 'file', discard: 'new', allow_atomic: true, compression: 's2' });
  });

  it('can be called by several instances at once', async () => {
    const connections = await Promise.all([1, 2, 3, 4].map(() => connectTo(log.stack.natsUrl)));
    const options = { name: 'ATONCE', subjects: ['atonce.>'], replicas: 1 };
    await Promise.all(connections.map((connection) => ensureStream(connection, options)));
    await Promise.all(connections.map((connection) => connection.close()));
  });

  it('refuses a stream that would lose messages', async () => {
    const manager = await jetstreamManager(log.connection);
    await manager.streams.add({ name: 'VOLATILE', subjects: ['volatile.>'], storage: StorageType.Memory });
    const options = { name: 'VOLATILE', subjects: ['volatile.>'], replicas: 1 };
    await expect(ensureStream(log.connection, options)).rejects.toThrow(
      'cannot be an event log: it has memory storage',
    );
  });

  it.each([
    ['--max-age=0', { max_age: nanos(3_600_000) }],
    ['--max-msgs-per-subject=-1', { max_msgs_per_subject: 5 }],
  ])('refuses one with a limit that drops messages, and says to lift it by %s', async (option, limit) => {
    const { streams } = await jetstreamManager(log.connection);
    await streams.update(log.stream, limit);
    const ensured = ensureStream(log.connection, { name: log.stream, subjects: [`${log.stream}.>`], replicas: 1 });
    await expect(ensured).rejects.toMatchObject({ name: 'StreamUnfitError', message: expect.stringContaining(option) });
  });

  it('refuses more than one replica where there is one server, which could not read them after its next restart', async () => {
    const name = 'REPLICATED';
    const options = { name, subjects: ['replicated.>'], replicas: 3 };
    const refusal = {
      name: 'NoClusterError',
      message: expect.stringMatching(/^STREAM_REPLICAS=3 needs a cluster of three NATS servers; this one has none/),
    };
    await expect(ensureStream(log.connection, options)).rejects.toMatchObject(refusal);
    await ensureStream(log.connection, { ...options, replicas: 1 });
    await expect(ensureStream(log.connection, options)).rejects.toMatchObject(refusal);
    const manager = await jetstreamManager(log.connection);
    const { streams } = manager;
    const { config } = await streams.info(name);
    expect(config.num_replicas).toBe(1);
    // The server itself says so, also where it has the name of a cluster.
    await expect(assertCluster(manager, config, 3)).rejects.toMatchObject(refusal);
    // As an earlier release did.
    await streams.update(name, { num_replicas: 3 });
    await ensureStream(log.connection, { ...options, replicas: 1 });
    expect((await streams.info(name)).config.num_replicas).toBe(1);
  });

  it('lets a limit on its size refuse new messages instead of dropping old ones', async () => {
    const { streams } = await jetstreamManager(log.connection);
    await streams.update(log.stream, { discard: DiscardPolicy.Old, max_msgs: 1 });
    await ensureStream(log.connection, { name: log.stream, subjects: [`${log.stream}.>`], replicas: 1 });
    expect((await streams.info(log.stream)).config).toMatchObject({ discard: 'new', max_msgs: 1 });
  });
});
