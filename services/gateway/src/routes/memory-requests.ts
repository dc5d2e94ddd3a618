import { type AgentRef, memoryQuery, WireError } from '@mneme/contracts';
import { parsePosition } from '@mneme/event-store';
import type { RequestScope } from '../http/endpoints.ts';
import type { ServiceCall } from '../send-request.ts';

/** How long a command waits for the read model to have its event, in milliseconds. */
const seenTimeoutMs = 5_000;
/** How much later than the service itself the gateway gives up, in milliseconds. */
const graceMs = 500;

/** Calls to the services of the memory area, on behalf of one request. */
export interface MemoryCalls {
  readonly call: ServiceCall;
  /**
   * Waits until reads see the event at `position`, 5 s at most. The event is durable, so that the caller is answered
   * in any case, even while the read models are away.
   */
  untilSeen(position: string | null, scope: RequestScope): Promise<void>;
  /**
   * Waits until the read models have nothing of an agent that was erased at `position`.
   * @throws WireError 503 when the read model is away, 504 when it takes longer
   */
  untilErased(agent: AgentRef, position: string, scope: RequestScope, timeoutMs: number): Promise<void>;
}

export function createMemoryCalls(call: ServiceCall): MemoryCalls {
  return {
    call,
    untilErased: async ({ space, agentId }, position, scope, timeoutMs) => {
      const sequence = parsePosition(position)?.sequence ?? 0;
      const deadline = Date.now() + timeoutMs;
      for (let leftMs = timeoutMs; leftMs > 0; leftMs = deadline - Date.now()) {
        const waitMs = Math.min(leftMs, seenTimeoutMs);
        const request = { space, agentId, sequence, waitMs };
        if ((await call(memoryQuery.awaitErasure, request, scope, waitMs + graceMs)).isDone) return;
      }
      const message = 'The erasure is recorded and goes on by itself; send the request again to wait for it';
      throw new WireError({ status: 504, code: 'TIMEOUT', message });
    },
    untilSeen: async (position, scope) => {
      const sequence = position === null ? undefined : parsePosition(position)?.sequence;
      if (sequence === undefined) return;
      const request = { sequence, waitMs: seenTimeoutMs };
      await call(memoryQuery.awaitPosition, request, scope, seenTimeoutMs + graceMs).catch(() => undefined);
    },
  };
}
