import { type AgentRef, type Endpoint, isUuid, memoryQuery, WireError } from '@mneme/contracts';
import { parsePosition } from '@mneme/event-store';
import { boundAgentOf } from '../auth/caller.ts';
import { badRequest, boundToAnother, timedOut } from '../errors.ts';
import type { RequestScope } from '../routing/http-endpoint.ts';
import type { SendRequest } from '../send-request.ts';
import { type Subject, UnseenChanges } from './unseen-changes.ts';

/** How long a command waits for the read model to have its event, in milliseconds. */
const seenTimeoutMs = 5_000;
/** How much longer than the service itself the gateway waits, in milliseconds. */
const graceMs = 500;

/** Requests to the services of the memory area, on behalf of one HTTP request. */
export interface MemoryServices {
  readonly send: SendRequest;
  /**
   * Sends a query that reads the memory of the caller's space. It waits for the position that the caller has asked for, and
   * for changes that were answered before reads saw them.
   * @throws WireError 503 when the read model has not applied them after 5 s; what the query is refused with
   */
  read<Req extends ReadRequest, Rep>(
    endpoint: Endpoint<Req, Rep>,
    request: Omit<Req, 'space' | 'minSequence'>,
    scope: RequestScope,
    timeoutMs?: number,
  ): Promise<Rep>;
  /**
   * Waits until reads see the event at `position`, 5 s at most. The event is durable, so the caller is answered in any
   * case, even while the read models are away. If the event changes what was there, later reads of it through this gateway
   * wait for it then.
   * @param changed what the event changes; nothing if it only adds
   * @returns false when reads do not see it yet
   */
  untilSeen(position: string | null, scope: RequestScope, changed?: Subject): Promise<boolean>;
  /**
   * Waits until the read models have no data of an agent that was erased at `position`.
   * @throws WireError 503 when the read model is away, 504 when it takes longer
   */
  untilErased(agent: AgentRef, position: string, scope: RequestScope, timeoutMs: number): Promise<void>;
}

/** What queries of the memory have in common. */
interface ReadRequest extends Subject {
  readonly space: string;
  readonly minSequence?: number | undefined;
}

export function createMemoryServices(send: SendRequest): MemoryServices {
  const unseen = new UnseenChanges();
  return {
    send,
    read: async (endpoint, request, scope, timeoutMs) => {
      const { space } = scope.caller;
      assertWithin(boundAgentOf(scope.caller), request);
      const minSequence = unseen.minSequence(space, request, scope.minSequence);
      const reply = await send(endpoint, { space, ...request, minSequence } as never, scope, timeoutMs);
      if (minSequence !== undefined) unseen.seen(space, request, minSequence);
      return reply;
    },
    untilErased: async ({ space, agentId }, position, scope, timeoutMs) => {
      const sequence = parsePosition(position)?.sequence ?? 0;
      const deadline = performance.now() + timeoutMs;
      for (let leftMs = timeoutMs; leftMs > 0; leftMs = deadline - performance.now()) {
        const waitMs = Math.ceil(Math.min(leftMs, seenTimeoutMs));
        const request = { space, agentId, sequence, waitMs };
        const waiting = send(memoryQuery.awaitErasure, request, scope, waitMs + graceMs);
        if (await waiting.then(({ isDone }) => isDone, isLate)) return;
      }
      throw timedOut('The erasure is recorded and goes on by itself; send the request again to wait for it');
    },
    untilSeen: async (position, scope, changed = {}) => {
      const sequence = position === null ? undefined : parsePosition(position)?.sequence;
      if (sequence === undefined) return true;
      const { space } = scope.caller;
      const request = { space, sequence, waitMs: seenTimeoutMs };
      const waiting = send(memoryQuery.awaitPosition, request, scope, seenTimeoutMs + graceMs);
      const isSeen = await waiting.then(({ reached }) => reached, isDeferred);
      if (!isSeen) unseen.note(space, changed, sequence);
      return isSeen;
    },
  };
}

/**
 * Whatever a route has made of a request: with a key that is bound to an agent, no query may reach another one.
 * @throws WireError 403
 */
function assertWithin(bound: string | undefined, request: Subject & { readonly onlyAgent?: string | undefined }): void {
  const { agentId, agentIds, onlyAgent = agentId } = request;
  const queried = agentIds ?? [onlyAgent];
  if (bound !== undefined && !queried.every((agent) => agent === bound)) throw boundToAnother();
}

/**
 * Checks the id of an operation.
 * @returns the id in lower case, as ids are stored
 * @throws WireError 400 when it is not a UUID
 */
export function parseOperationId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw badRequest(`Invalid operation_id format: ${text}`);
}

/** An answer that is late says nothing about what it was to say. */
function isLate(error: unknown): false {
  if (error instanceof WireError && error.code === 'TIMEOUT') return false;
  throw error;
}

/** Whether reads say by themselves that an event of the agent could not be applied. */
function isDeferred(error: unknown): boolean {
  return error instanceof WireError && error.code === 'READ_MODEL_BEHIND';
}
