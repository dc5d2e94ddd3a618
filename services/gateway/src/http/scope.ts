import type { RouteInput, RouteReply } from '@mneme/contracts';
import type { Caller } from '../identity/caller.ts';

/** What a handler knows about a request beside its parsed parameters and body. */
export interface RequestScope {
  readonly caller: Caller;
  /** Follows the request into logs and events as their correlation id. */
  readonly requestId: string;
  /** A UUID for what the request starts; the same again when the request is sent again with its idempotency key. */
  readonly commandId: string;
  /** A read waits until it has seen this sequence of the event log. */
  readonly minSequence: number | undefined;
  /** Aborted when the caller has gone or the gateway stops. */
  readonly signal: AbortSignal;
}

export interface HandlerReply<Body> {
  readonly body: Body;
  /** Of the last event that the request appended, as `MEMORY:42`. */
  readonly position?: string | null;
}

export type Handler<R> = (input: RouteInput<R>, scope: RequestScope) => Promise<HandlerReply<RouteReply<R>>>;

/** One handler per route of a table. */
export type Handlers<Routes> = { readonly [Name in keyof Routes]: Handler<Routes[Name]> };
