import type { z } from 'zod';

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
  /** It appends events: the reply carries `X-Event-Position`. */
  readonly isWrite?: boolean;
  /** It reads a read model: `X-Min-Event-Position` makes it wait for an earlier write. */
  readonly isRead?: boolean;
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
