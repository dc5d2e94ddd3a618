import type { z } from 'zod';
import type { MemoryScope } from '../access/schemas.ts';

/**
 * Who a call is for. `memory`: whoever may work in a space, by a key, as a user, or without credentials where that is
 * allowed. `user`: a signed-in user. `anyone`: nothing is asked.
 */
export type Audience = 'memory' | 'user' | 'anyone';

/** A value whose absence is a plain 400 with a message of its own, before any other fault is looked at. */
export interface Demand {
  readonly in: 'body' | 'query';
  readonly name: string;
  readonly message: string;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** One call of the HTTP interface. The gateway validates by it, and the OpenAPI document is made from it. */
export interface Route<
  Path extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  /** With its parameters in braces, as in OpenAPI. */
  readonly path: string;
  /** The group that documentation shows it in. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly pathParameters?: Path;
  readonly query?: Query;
  readonly body?: Body;
  readonly reply: Reply;
  /** The media type of the reply; `application/json` unless given. */
  readonly replyType?: string;
  /** Request headers of its own, by name, with what they are for. */
  readonly headers?: Readonly<Record<string, string>>;
  /** It appends events: the reply carries `X-Event-Position`. */
  readonly isWrite?: boolean;
  /** It reads a read model: `X-Min-Event-Position` makes it wait for an earlier write. */
  readonly isRead?: boolean;
  /** `memory` unless given. */
  readonly audience?: Audience;
  /** What a key must be allowed to do, for the audience `memory`: unless given, `memory:read` for a GET and `memory:write` else. */
  readonly scope?: MemoryScope;
  /** 200 unless given. */
  readonly successStatus?: 200 | 201;
  /** Values that are asked for first, in this order. */
  readonly demands?: readonly Demand[];
  /** Refusals of its own, by HTTP status; those that every route has are not repeated here. */
  readonly refusals?: Readonly<Record<number, string>>;
}

/** Keeps the types of a route's schemas; does nothing else. */
export function defineRoute<
  Reply extends z.ZodType,
  Path extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(route: Route<Path, Query, Body, Reply>): Route<Path, Query, Body, Reply> {
  return route;
}

/** What a handler is given: everything parsed. */
export interface RouteInput<R> {
  readonly path: R extends Route<infer Path, infer _Q, infer _B, infer _R> ? z.output<Path> : never;
  readonly query: R extends Route<infer _P, infer Query, infer _B, infer _R> ? z.output<Query> : never;
  readonly body: R extends Route<infer _P, infer _Q, infer Body, infer _R> ? z.output<Body> : never;
}

/** What a handler answers with. */
export type RouteReply<R> = R extends Route<infer _P, infer _Q, infer _B, infer Reply> ? z.output<Reply> : never;

/** What a key must be allowed to do for a call of the memory area. */
export function scopeOf({ method, scope }: Route): MemoryScope {
  return scope ?? (method === 'get' ? 'memory:read' : 'memory:write');
}
