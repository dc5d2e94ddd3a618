import type { Route, RouteInput, RouteReply } from '@mneme/contracts';
import type { Failure } from '@mneme/service-kit';
import type { Caller, MemoryCaller, UserCaller } from '../auth/caller.ts';
import type { JsonText } from '../http/answers.ts';
import type { Attempt } from '../idempotency/idempotency.ts';

/** What an endpoint gets with the parsed parameters and body of a request. */
export interface RequestScope<By extends Caller = MemoryCaller> extends Attempt {
  readonly caller: By;
  /** The correlation id of the request in logs and events. */
  readonly requestId: string;
  /** The body as it was sent; undefined without one. */
  readonly bodyBytes: Buffer | undefined;
  /** A read waits until it has seen this sequence of the event log. */
  readonly minSequence: number | undefined;
  /** How long the caller is ready to wait, in milliseconds; undefined: as long as the gateway does. */
  readonly waitMs: number | undefined;
  /** Where the caller reached the gateway, such as `https://mneme.example`. */
  readonly origin: string;
  /** Aborted when the caller has gone or the gateway stops. */
  readonly signal: AbortSignal;
}

/** The scope of a request that only users may make. */
export type UserScope = RequestScope<UserCaller>;

export interface EndpointReply<Body> {
  readonly body: Body | JsonText;
  /** The position of the last event that the request appended, such as `MEMORY:42`. */
  readonly position?: string | null;
  /** The position up to which what was read is complete, if not up to the end of the log. */
  readonly asOf?: string | undefined;
  /** Where what the request has started can be read, as a path. */
  readonly location?: string;
  /**
   * False when the answer has something that may be erased, so that it is not kept for repeats of the request. A repeat is
   * performed again, as one. True by default.
   */
  readonly isReplayable?: boolean;
}

/** Who asks a query, and what the read must have seen. */
export function queryBy({ caller: { userId }, minSequence }: UserScope) {
  return { userId, minSequence };
}

/** Who gives a command, and its id. */
export function commandBy({ caller: { userId }, commandId }: UserScope) {
  return { userId, commandId };
}

/** The reply to a command of a service. */
export function replyTo<Value>({ value, position }: { readonly value: Value; readonly position: string | null }) {
  return { body: value, position };
}

/** The reply of a query that is as of a position. */
export function replyAsOf<Body>({ asOf, ...body }: Body & { readonly asOf?: string | undefined }) {
  return { body, asOf };
}

/** Answers the requests of one route. */
export type HttpEndpoint<R, By extends Caller = MemoryCaller> = (
  input: RouteInput<R>,
  scope: RequestScope<By>,
) => Promise<EndpointReply<RouteReply<R>>>;

/** One endpoint per route of a table. */
export type HttpEndpoints<Routes, By extends Caller = MemoryCaller> = {
  readonly [Name in keyof Routes]: HttpEndpoint<Routes[Name], By>;
};

/** Routes with their endpoints, whose positions are about the same stream. */
export interface Area {
  readonly bindings: readonly Binding[];
  /** The stream of the event log that positions refer to. */
  readonly stream: string;
}

/** A route and its endpoint, with the types of the input erased. */
export interface Binding {
  readonly route: Route;
  readonly endpoint: (input: never, scope: never) => Promise<EndpointReply<unknown>>;
  /** What callers are told of unexpected errors. */
  readonly failure: Failure | undefined;
}

/** Binds endpoints to their routes; a route without an endpoint does not compile. */
export function defineArea<Routes extends Readonly<Record<string, Route>>, By extends Caller>(area: {
  routes: Routes;
  endpoints: HttpEndpoints<Routes, By>;
  stream: string;
  failures?: Partial<Record<keyof Routes, Failure>>;
}): Area {
  const bindings = Object.entries(area.routes).map(([name, route]) => {
    return { route, endpoint: area.endpoints[name], failure: area.failures?.[name] };
  });
  return { bindings: bindings as Binding[], stream: area.stream };
}
