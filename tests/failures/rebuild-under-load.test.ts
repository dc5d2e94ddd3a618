import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readModelEndpoints } from '@mneme/contracts';
import { atFullLength, scaled } from '@mneme/local-stack/testing';
import { type Client, createClient } from '@mneme/service-kit';
import { connect } from '@nats-io/transport-node';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { mneme } from '../system/mneme-command.ts';
import { memoryServices } from '../system/service-process.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { type SteadyRequest, sendSteadily } from '../system/steady-requests.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

const agentIds = ['one', 'two', 'three'];
const sentencesEach = scaled({ full: 800, short: 90 });
const searchesPerSecond = scaled({ full: 20, short: 4 });
const batchesPerSecond = scaled({ full: 5, short: 1 });
/** Other tests run beside this one; what a rebuild costs in time is for a benchmark to tell. */
const longestMs = 5_000;

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'each', services: memoryServices });
  for (const agent_id of agentIds) {
    const sentences = Array.from({ length: sentencesEach }, (_, n) => `Crate C${n} of ${agent_id} holds lemons.`);
    const body = { agent_id, document_id: 'stock', items: [{ content: sentences.join(' ') }] };
    const { status } = await system.http.post('/api/memories/batch', body);
    expect(status).toBe(200);
  }
  return system.stop;
});

/** The version of the memory that answers; undefined when it cannot be told. */
async function liveVersion(): Promise<number | undefined> {
  const version = /\tmemory@(\d+)\tlive/.exec((await mneme(system, 'read-models')).output)?.[1];
  return version === undefined ? undefined : Number(version);
}

/** The facts that were accepted, of agent `busy`. */
const accepted: string[] = [];

const load: readonly SteadyRequest[] = [
  {
    name: 'search',
    perSecond: searchesPerSecond,
    send: async (turn) => {
      const agent_id = agentIds[turn % agentIds.length];
      const { status, body } = await system.http.post('/api/search', { agent_id, query: 'What is in crate C77?' });
      if (status !== 200 || body.results.length === 0) throw new Error(`${status} ${JSON.stringify(body)}`);
    },
  },
  {
    name: 'store',
    perSecond: batchesPerSecond,
    send: async (turn) => {
      const content = `Wagon W${turn} carries pears.`;
      const batch = { agent_id: 'busy', items: [{ content }] };
      const { status, body } = await system.http.post('/api/memories/batch_async', batch);
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      accepted.push(content);
    },
  },
];

async function expectEachOnce(contents: readonly string[]): Promise<void> {
  const list = await eventually('all that was accepted is stored', async () => {
    const { body } = await system.http.get('/api/list?agent_id=busy&limit=1000');
    return body.total >= contents.length && body;
  });
  expect(list.items.map(({ text }: { text: string }) => text).sort()).toEqual([...contents].sort());
}

test.runIf(atFullLength)(
  'the memory is rebuilt while it is searched and written, and all is answered and kept',
  async () => {
    const requests = sendSteadily(load);
    const { output } = await mneme(system, 'rebuild', 'memory');
    const { failures, slowestMs } = await requests.stop();
    expect(failures, system.service('memory-query').output()).toEqual([]);
    expect(output).toContain('"version": 2');
    expect(await liveVersion()).toBe(2);
    await expectEachOnce(accepted);
    expect(slowestMs).toBeLessThan(longestMs);
  },
);

describe('a rebuild that is killed', () => {
  const killed = scaled({ full: 10, short: 1 });
  let client: Client;
  let usualMs: number;
  beforeAll(async () => {
    const connection = await connect({ servers: system.stack.natsUrl });
    client = createClient({ connection });
    const startedAt = performance.now();
    await rebuild();
    usualMs = Math.round(performance.now() - startedAt);
    return async () => {
      client.close();
      await connection.close();
    };
  });

  const rebuild = () =>
    client.request(
      readModelEndpoints('memory-query').rebuild,
      { name: 'memory' },
      { correlationId: 'test', timeoutMs: 120_000 },
    );

  test.runIf(atFullLength).each(Array.from({ length: killed }, (_, index) => index + 1))(
    `at a random moment goes on or begins again, and nothing has changed (%i of ${killed})`,
    async () => {
      const take = () => takeSnapshot(system.http, [...agentIds, 'busy'], []);
      const before: Snapshot = await take();
      const version = (await liveVersion()) ?? 0;
      const query = system.service('memory-query');
      const ms = randomInt(usualMs);
      const moment = `killed after ${ms} of ${usualMs} ms`;
      // The request gets no reply from a killed service.
      rebuild().catch(() => undefined);
      await pause(ms);
      await query.kill();
      await query.start();
      // Before the version was written down, there is nothing to go on with.
      if ((await mneme(system, 'read-models')).output.includes(`memory@${version + 1}`)) {
        await eventually(
          `the new version answers, ${moment}`,
          async () => (await liveVersion()) === version + 1,
          60_000,
        );
      }
      await eventually('everything can be read', async () => (await take()) !== undefined);
      expect(await take(), moment).toEqual(before);
    },
  );
});
