import type { Connection } from '../http/connection.ts';
import type { CommandOptions, ReadOptions } from '../http/request.ts';
import { sleep } from '../http/retry.ts';
import { byCursor, type List, type PagingOptions } from '../paging.ts';
import { type DeadLetter, given, type SystemTask } from '../schemas.ts';

/** The longest pause between two looks at a task, in milliseconds. */
const maxPauseMs = 2_000;

/** How long a server waits for the retry of a dead letter. */
const retryWaitSeconds = 120;

/** The most dead letters of one request. */
const maxPage = 500;

export interface DeadLetterPageOptions extends ReadOptions {
  /** The most dead letters, 1 to 500. Default: 100. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before. Default: the first page. */
  readonly cursor?: string | undefined;
}

/** What operators see and repair; it needs the token of a user with the operator's role. */
export type System = ReturnType<typeof systemOf>;

export function systemOf({ call }: Connection) {
  const task = (id: string, options: ReadOptions = {}): Promise<SystemTask> =>
    call('get', '/api/v3/system/tasks/{id}', { path: { id } }, options);
  return {
    services: async (options: ReadOptions = {}) => (await call('get', '/api/v3/system/services', {}, options)).services,
    streams: async (options: ReadOptions = {}) => (await call('get', '/api/v3/system/streams', {}, options)).streams,
    /** With the services that did not answer. */
    readModels: (options: ReadOptions = {}) => call('get', '/api/v3/system/read-models', {}, options),
    /** Begins to rebuild a read model from the log; `waitFor` its end. */
    rebuild: (name: string, options: CommandOptions = {}): Promise<SystemTask> =>
      call('post', '/api/v3/system/read-models/{name}/rebuild', { path: { name } }, options),
    /** The same for all read models of a service. */
    rebuildService: (service: 'keys' | 'webhook' | 'memory', options: CommandOptions = {}): Promise<SystemTask> =>
      call('post', '/api/v3/system/services/{service}/rebuild', { path: { service } }, options),
    /** Lets the previous version of a read model answer again. */
    rollBack: (name: string, options: CommandOptions = {}) =>
      call('post', '/api/v3/system/read-models/{name}/rollback', { path: { name } }, options),
    /** Begins to compare the stores of a read model; `waitFor` the result. */
    verify: (name: string, options: CommandOptions = {}): Promise<SystemTask> =>
      call('post', '/api/v3/system/read-models/{name}/verify', { path: { name } }, options),
    /** The last rebuild and verification of each read model and service, the newest first. */
    tasks: async (options: ReadOptions = {}): Promise<SystemTask[]> =>
      (await call('get', '/api/v3/system/tasks', {}, options)).tasks,
    task,
    /** Looks at a task until it has ended. It has no deadline but that of the `signal`. */
    waitFor: async (id: string, options: ReadOptions = {}): Promise<SystemTask> => {
      for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
        const found = await task(id, options);
        if (found.state !== 'running') return found;
        await sleep(pauseMs, options.signal);
      }
    },
    /** One page of `deadLetters`, with the number of all; for programs that show pages. */
    deadLetterPage: ({ limit, cursor, ...options }: DeadLetterPageOptions = {}) => {
      const query = given({ limit, cursor: cursor === undefined ? undefined : Number(cursor) });
      return call('get', '/api/v3/system/dead-letters', { query }, options);
    },
    /** Events that could not be read, handled or applied, the oldest first. */
    deadLetters: ({ pageSize, ...options }: ReadOptions & PagingOptions = {}): List<DeadLetter> =>
      byCursor(async (cursor) => {
        const query = given({
          limit: pageSize === undefined ? undefined : Math.min(pageSize, maxPage),
          cursor: cursor === undefined ? undefined : Number(cursor),
        });
        const page = await call('get', '/api/v3/system/dead-letters', { query }, options);
        return { items: page.dead_letters, next: page.next_cursor };
      }),
    /** Processes the event of a dead letter again. A 504 is final: the retry goes on, and another one would run beside it. */
    retryDeadLetter: (id: number, options: CommandOptions = {}) =>
      call('post', '/api/v3/system/dead-letters/{id}/retry', { path: { id }, waitSeconds: retryWaitSeconds }, options),
    /** Continues without the event of a dead letter; the log keeps it. A 504 is final here too. */
    discardDeadLetter: (id: number, options: CommandOptions = {}) =>
      call(
        'post',
        '/api/v3/system/dead-letters/{id}/discard',
        { path: { id }, waitSeconds: retryWaitSeconds },
        options,
      ),
  };
}
