import type { components } from '../api.ts';
import type { Connection } from '../http/connection.ts';
import { invalidRequest } from '../http/error.ts';
import { type FollowOptions, follow } from '../http/follow.ts';
import {
  type CommandOptions,
  type NamesOf,
  onlyKnown,
  type ReadOptions,
  type RequestOptions,
} from '../http/request.ts';
import { byOffset, type List, type PageOptions, type PagingOptions } from '../paging.ts';
import { type Delivery, given, isoTime, type Time } from '../schemas.ts';

type Schemas = components['schemas'];
export type CreateWebhook = Schemas['CreateWebhookRequest'];
export type UpdateWebhook = Schemas['UpdateWebhookRequest'];

const updateWebhookNames: NamesOf<UpdateWebhook> = {
  name: true,
  isActive: true,
  verification: true,
  deduplicate: true,
};
const createWebhookNames: NamesOf<CreateWebhook> = {
  name: true,
  tableId: true,
  createNewTable: true,
  newTableName: true,
  verification: true,
  deduplicate: true,
};

export interface DeliveriesOptions extends RequestOptions, Omit<FollowOptions, 'lastEventId'> {
  /** The id of the last delivery that was seen; 0 for all that are kept. Default: only those from now on. */
  readonly after?: number | undefined;
}

interface OfStatus {
  /** Only deliveries of this status. Default: all. */
  readonly status?: Delivery['status'] | undefined;
}

export interface ReplayOptions extends CommandOptions {
  /** Only what was received at this time or later. */
  readonly since?: Time | undefined;
  /** Default: `error`. */
  readonly status?: Delivery['status'] | undefined;
  /** Ends an earlier replay of the webhook that is not done; without it the request is refused with 409. */
  readonly replace?: boolean | undefined;
}

/** The webhooks of a project, and what other systems deliver to them; they need the token of a user. */
export type Webhooks = ReturnType<typeof webhooksOf>;

export function webhooksOf(connection: Connection) {
  const { call } = connection;
  return {
    /** The newest first, each with its 5 newest deliveries. */
    list: (projectId: number, options: ReadOptions = {}) =>
      call('get', '/api/v3/projects/{projectId}/webhooks', { path: { projectId } }, options),
    get: (id: number, options: ReadOptions = {}) => call('get', '/api/v3/webhooks/{id}', { path: { id } }, options),
    /** Sends a delivery as if a sender had: with a payload of yours, or an example. */
    test: (id: number, payload?: unknown, options: CommandOptions = {}) =>
      call('post', '/api/v3/webhooks/{id}/test', { path: { id }, body: given({ payload }) }, options),
    /**
     * The same with a payload as JSON text, which is recorded byte for byte: `JSON.stringify` would change numbers.
     *
     * @throws MnemeError when it is not JSON
     */
    testJson: async (id: number, json: string, options: CommandOptions = {}) => {
      assertJson(json);
      const bodyJson = `{"payload":${json}}`;
      return call('post', '/api/v3/webhooks/{id}/test', { path: { id }, body: {}, bodyJson }, options);
    },
    /** The reply has the URL for deliveries. */
    create: async (projectId: number, webhook: CreateWebhook, options: CommandOptions = {}) => {
      const body = onlyKnown('field of a webhook', webhook, createWebhookNames);
      return call('post', '/api/v3/projects/{projectId}/webhooks', { path: { projectId }, body }, options);
    },
    update: async (id: number, changes: UpdateWebhook, options: RequestOptions = {}) => {
      const body = onlyKnown('field of a webhook', changes, updateWebhookNames);
      return call('patch', '/api/v3/webhooks/{id}', { path: { id }, body }, options);
    },
    /** Deletes the webhook with its deliveries; rows that they became stay. */
    delete: (id: number, options: RequestOptions = {}) =>
      call('delete', '/api/v3/webhooks/{id}', { path: { id } }, options),
    /** One page of `logs`, with the number of all deliveries; for programs that show pages. */
    logPage: (id: number, { limit, offset, status, ...options }: ReadOptions & PageOptions & OfStatus = {}) =>
      listLogs(connection, id, given({ limit, offset, status }), options),
    /** What was delivered, the newest first. */
    logs: (id: number, { pageSize, status, ...options }: ReadOptions & PagingOptions & OfStatus = {}): List<Delivery> =>
      byOffset({ pageSize }, async (part) => {
        const { logs, pagination } = await listLogs(connection, id, given({ ...part, status }), options);
        return { items: logs, total: pagination.total };
      }),
    /** Deliveries as they come, in their order, also across broken connections. It ends when you stop reading. */
    deliveries: (id: number, options: DeliveriesOptions = {}) => deliveries(connection, id, options),
    /** Processes one delivery again. */
    replay: (id: number, logId: number, options: CommandOptions = {}) =>
      call('post', '/api/v3/webhooks/{id}/logs/{logId}/replay', { path: { id, logId } }, options),
    /** Processes many deliveries again, in the background. */
    replayAll: async (id: number, { since, status, replace, ...options }: ReplayOptions = {}) => {
      const body = given({ since: isoTime(since), status, replace });
      return call('post', '/api/v3/webhooks/{id}/replay', { path: { id }, body }, options);
    },
    /** The progress of the newest `replayAll`. */
    replayProgress: (id: number, options: ReadOptions = {}) =>
      call('get', '/api/v3/webhooks/{id}/replay', { path: { id } }, options),
  };
}

interface LogsQuery {
  readonly limit?: number;
  readonly offset?: number;
  readonly status?: Delivery['status'];
}

function listLogs({ call }: Connection, id: number, query: LogsQuery, options: ReadOptions) {
  return call('get', '/api/v3/webhooks/{id}/logs', { path: { id }, query }, options);
}

/** Starts after a delivery that is known, so that none is lost if the first connection breaks before one has come. */
async function* deliveries(
  connection: Connection,
  id: number,
  { after, onConnection, ...options }: DeliveriesOptions,
): AsyncGenerator<Delivery, void, undefined> {
  const last = after ?? (await newestDelivery(connection, id, options));
  const path = `/api/v3/webhooks/${id}/logs/stream`;
  yield* follow<Delivery>(connection, path, { lastEventId: String(last), onConnection }, options);
}

async function newestDelivery(connection: Connection, id: number, options: RequestOptions): Promise<number> {
  const { logs } = await listLogs(connection, id, { limit: 1 }, options);
  return logs[0]?.id ?? 0;
}

function assertJson(text: string): void {
  try {
    JSON.parse(text);
  } catch (cause) {
    throw invalidRequest('The payload is not JSON', { cause });
  }
}
