import type { Route, RouteInput, RouteReply } from '@mneme/contracts';
import type { Caller, MemoryCaller, UserCaller } from '../auth/caller.ts';
import type { JsonText } from './answers.ts';

/** What a handler knows about a request beside its parsed parameters and body. */
export interface RequestScope<By extends Caller = MemoryCaller> {
  readonly caller: By;
  /** Follows the request into logs and events as their correlation id. */
  readonly requestId: string;
  /** A UUID for what the request starts; the same again when the request is sent again with its idempotency key. */
  readonly commandId: string;
  /** A read waits until it has seen this sequence of the event log. */
  readonly minSequence: number | undefined;
  /** Where the caller reached the gateway, as `https://mneme.example`. */
  readonly origin: string;
  /** Aborted when the caller has gone or the gateway stops. */
  readonly signal: AbortSignal;
}

/** What only a user may ask for. */
export type UserScope = RequestScope<UserCaller>;

export interface HandlerReply<Body> {
  readonly body: Body | JsonText;
  /** Of the last event that the request appended, as `MEMORY:42`. */
  readonly position?: string | null;
}

export type Handler<R, By extends Caller = MemoryCaller> = (
  input: RouteInput<R>,
  scope: RequestScope<By>,
) => Promise<HandlerReply<RouteReply<R>>>;

/** One handler per route of a table. */
export type Handlers<Routes, By extends Caller = MemoryCaller> = {
  readonly [Name in keyof Routes]: Handler<Routes[Name], By>;
};

/** Routes that are answered alike, with their handlers. */
export interface Area {
  readonly bindings: readonly Binding[];
  /** The stream of the event log that its positions are about. */
  readonly stream: string;
}

/** A route and what answers it, whatever it is given. */
export interface Binding {
  readonly route: Route;
  readonly handler: (input: never, scope: never) => Promise<HandlerReply<unknown>>;
}

/** Puts the handlers to their routes; every route has to have one. */
export function defineArea<Routes extends Readonly<Record<string, Route>>, By extends Caller>(area: {
  routes: Routes;
  handlers: Handlers<Routes, By>;
  stream: string;
}): Area {
  const bindings = Object.entries(area.routes).map(([name, route]) => ({ route, handler: area.handlers[name] }));
  return { bindings: bindings as Binding[], stream: area.stream };
}
