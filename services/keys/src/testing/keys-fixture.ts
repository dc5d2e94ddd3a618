import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  accessBuckets,
  accessEvents,
  accessStream,
  type KeyUsage,
  keyRecordSchema,
  keys,
  spaceOwnerSchema,
} from '@mneme/contracts';
import { connectEventStore, openBucket } from '@mneme/event-store';
import { openServiceBench, useFixture } from '@mneme/read-models/testing';
import { loadConfig } from '@mneme/service-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import type { z } from 'zod';
import { keysConfigSchema } from '../config.ts';
import { markOf } from '../key/commands.ts';
import { startKeys } from '../start.ts';

export type KeysFixture = Awaited<ReturnType<typeof startKeysFixture>>;
type CreateKey = z.input<typeof keys.createKey.request>;

/** Room for the records that are there to become larger, in bytes. */
const roomForChanges = 1_200;
/** For how long the service uses a measurement, and a moment more, in milliseconds. */
const measuredForMs = 1_100;

async function startKeysFixture() {
  const { call, entryOf, ...bench } = await openServiceBench({
    name: 'keys',
    streams: [accessStream],
    start: (env, process) => startKeys(loadConfig(keysConfigSchema, env), process),
  });
  const { connection } = bench;
  const store = connectEventStore({ connection, stream: accessStream.name, catalog: accessEvents, source: 'test' });
  let users = 0;

  return {
    ...bench,
    store,
    call,
    /** A user who has made a first request. */
    newUser: async () => {
      users += 1;
      const userId = users;
      const { value } = await call(keys.me, { userId });
      const [space] = value.spaces;
      const [project] = space?.projects ?? [];
      if (!space || !project) throw new Error('A new user has no project');
      return { userId, spaceId: space.id, projectId: project.id };
    },
    createKey: async ({ userId, projectId }: { userId: number; projectId: number }, more: Partial<CreateKey> = {}) => {
      const asked = { name: 'Assistant', scopes: ['*'], rateLimit: 1000, expiresInDays: null, agentId: null };
      return (await call(keys.createKey, { ...asked, userId, projectId, commandId: randomUUID(), ...more })).value;
    },
    keyRecord: async (key: string) => {
      const found = await entryOf(accessBuckets.apiKeys.name, markOf(key).keyHash);
      return found === undefined ? undefined : keyRecordSchema.parse(found);
    },
    spaceOwner: async (userId: number) => {
      const found = await entryOf(accessBuckets.spaceOwners.name, String(userId));
      return found === undefined ? undefined : spaceOwnerSchema.parse(found);
    },
    /** Bounds the bucket of keys to what is in it, so that the service finds no room once it has measured that, which it does with the next record. */
    boundKeyBucket: async () => {
      const manager = await jetstreamManager(connection);
      const { config, state } = await manager.streams.info(`KV_${accessBuckets.apiKeys.name}`);
      await manager.streams.update(config.name, { max_bytes: state.bytes + roomForChanges });
      await pause(measuredForMs);
    },
    /** Everything that a JetStream stream holds, headers and data, as text. */
    messagesOf: async (stream: string) => {
      const manager = await jetstreamManager(connection);
      const { first_seq, last_seq } = (await manager.streams.info(stream)).state;
      const found: string[] = [];
      for (let seq = first_seq; seq <= last_seq; seq += 1) {
        const message = await manager.streams.getMessage(stream, { seq });
        if (message) found.push(`${message.subject} ${message.header} ${message.string()}`);
      }
      return found;
    },
    /** Counts requests as a gateway does. */
    use: async (key: string, requests: number, lastUsedAt: string) => {
      const usage: KeyUsage = { requests, lastUsedAt, recent: [] };
      const bucket = await openBucket(connection, { ...accessBuckets.keyUsage, replicas: 1 });
      await bucket.put(markOf(key).keyHash, JSON.stringify(usage));
    },
  };
}

/** Real servers, on which the service is started, called over NATS and stopped. */
export const useKeysFixture = () => useFixture(startKeysFixture);
