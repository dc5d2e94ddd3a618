import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { deliver, type TableWebhook } from '../system/deliveries.ts';
import type { HttpClient } from '../system/http-client.ts';
import type { Person } from '../system/person.ts';
import { type SteadyRequest, sendSteadily } from '../system/steady-requests.ts';
import { tokenOf } from '../system/tokens.ts';
import { Attempts } from './attempts.ts';

/** Who sends requests, and to what. */
export interface LoadTarget {
  readonly gateways: readonly [HttpClient, HttpClient];
  readonly person: Person;
  /** A key of the person, by which memories are stored and read. */
  readonly key: string;
  readonly agentId: string;
  readonly webhook: TableWebhook;
}

/** What was accepted while the load ran. */
export interface Accepted {
  /** Each was sent again under its Idempotency-Key until it was accepted. */
  readonly contents: readonly string[];
  /** The numbers of deliveries that were acknowledged; none was sent again. */
  readonly deliveries: ReadonlySet<number>;
}

export interface Load {
  readonly attempts: Attempts;
  /** Sends no more and waits for what is under way. */
  stop(): Promise<Accepted>;
}

const perSecond = { batch: 1, batch_async: 2, list: 2, search: 2, keys: 1, me: 1, delivery: 2, logs: 1 };
type Kind = keyof typeof perSecond;
const retryMs = 250;
/** More often a write is not sent again; by then the test has failed. */
const maxTries = 240;

/** Sends some requests of each kind per second, through both gateways in turn. */
export function startLoad({ gateways, person, key, agentId, webhook }: LoadTarget): Load {
  const attempts = new Attempts(Object.keys(perSecond));
  const contents: string[] = [];
  const deliveries = new Set<number>();
  let turn = 0;
  const gateway = () => gateways[turn++ % gateways.length] as HttpClient;
  const asPerson = () => gateway().as(tokenOf(person.userId));

  const store = (kind: Kind, path: string) => async (count: number) => {
    const content = `Parcel ${kind} ${count} lies on shelf ${agentId}.`;
    const command = { 'idempotency-key': randomUUID() };
    const body = { agent_id: agentId, items: [{ content }] };
    for (let tries = 0; tries < maxTries; tries += 1) {
      const answer = await attempts.make(kind, () => gateway().as(key).post(path, body, command));
      if (answer) return void contents.push(content);
      await pause(retryMs);
    }
  };
  const read = (kind: Kind, send: () => ReturnType<HttpClient['get']>) => async () =>
    void (await attempts.make(kind, send));
  const sends: Readonly<Record<Kind, SteadyRequest['send']>> = {
    batch: store('batch', '/api/memories/batch'),
    batch_async: store('batch_async', '/api/memories/batch_async'),
    list: read('list', () => gateway().as(key).get(`/api/list?agent_id=${agentId}&limit=1`)),
    search: read('search', () =>
      gateway().as(key).post('/api/search', { agent_id: agentId, query: 'parcel on a shelf' }),
    ),
    keys: read('keys', () => asPerson().get(`/api/v3/api-keys?project_id=${person.projectId}`)),
    me: read('me', () => asPerson().get('/api/v3/me')),
    delivery: async (n) => {
      if (await attempts.make('delivery', () => deliver(gateway(), webhook, JSON.stringify({ n })))) deliveries.add(n);
    },
    logs: read('logs', () => asPerson().get(`/api/v3/webhooks/${webhook.id}/logs?limit=1`)),
  };
  const kinds = Object.keys(perSecond) as Kind[];
  const running = sendSteadily(kinds.map((name) => ({ name, perSecond: perSecond[name], send: sends[name] })));
  return {
    attempts,
    stop: async () => {
      await running.stop();
      return { contents, deliveries };
    },
  };
}
