import type { Connection } from '../http/connection.ts';
import type { CommandOptions, ReadOptions, RequestOptions } from '../http/request.ts';
import { sleep } from '../http/retry.ts';
import type { Operation } from '../schemas.ts';

export type Operations = ReturnType<typeof operationsOf>;

/** The longest pause between two looks at an operation, in milliseconds. */
const maxPauseMs = 2_000;

/** Batches that were submitted without waiting for them. */
export function operationsOf({ call }: Connection, agentId: string) {
  const query = { agent_id: agentId };
  const get = (id: string, options: ReadOptions = {}): Promise<Operation> =>
    call('get', '/api/operations/{id}/status', { path: { id }, query }, options);
  return {
    /** The pending and failed operations of the agent, the oldest first. */
    list: async (options: ReadOptions = {}) => {
      const path = { agent_id: agentId };
      return (await call('get', '/api/operations/{agent_id}', { path }, options)).operations;
    },
    get,
    /** Looks at an operation until it is completed, failed or cancelled. It has no deadline but that of the `signal`. */
    wait: async (id: string, options: ReadOptions = {}): Promise<Operation> => {
      for (let pauseMs = 50; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
        const operation = await get(id, options);
        if (operation.status !== 'pending' && operation.status !== 'processing') return operation;
        await sleep(pauseMs, options.signal);
      }
    },
    /** Cancels a pending operation, or dismisses a failed one. */
    cancel: (id: string, options: RequestOptions = {}) =>
      call('delete', '/api/operations/{operation_id}', { path: { operation_id: id }, query }, options),
    /** Makes a failed operation pending again. */
    retry: (id: string, options: CommandOptions = {}) =>
      call('post', '/api/operations/{id}/retry', { path: { id }, query }, options),
  };
}
