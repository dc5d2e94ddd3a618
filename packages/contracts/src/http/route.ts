import type { z } from 'zod';

/**
 * Who may call a route. `memory`: every caller with access to the space, with a key, as a user, or without credentials
 * where that is allowed. `user`: a signed-in user. `operator`: a signed-in user with the operator's role. `anyone`: no
 * credentials are needed.
 */
export type Audience = 'memory' | 'user' | 'operator' | 'anyone';

/** The scopes that grant something in the memory area; other scopes are stored and grant nothing. */
export type MemoryScope = 'memory:read' | 'memory:write';

/** A value whose absence is answered with 400 and a message of its own, before anything else is validated. */
export interface Demand {
  readonly in: 'body' | 'query';
  readonly name: string;
  readonly message: string;
}

/**
 * What a body may have beside the fields of its schema: nothing, nothing that looks like a misspelt or misplaced field, or anything.
 * What is ignored is named in a header of the response.
 */
export type UnknownFields = 'refuse' | 'refuse-misspelt' | 'ignore';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** One route of the HTTP API. The gateway validates requests by it, and the OpenAPI document is generated from it. */
export interface Route<
  Path extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  /** With its parameters in braces, as in OpenAPI. */
  readonly path: string;
  /** Its group in the documentation. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly pathParameters?: Path;
  readonly query?: Query;
  readonly body?: Body;
  readonly reply: Reply;
  /** The media type of the response; `application/json` by default. */
  readonly replyType?: string;
  /** Descriptions of its own request headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * It appends events, and the response has `X-Event-Position`. So does by default every method but GET, for the audiences
   * `memory` and `user`.
   */
  readonly isWrite?: boolean;
  /**
   * It reads a read model, and waits for the position in `X-Min-Event-Position`. So does by default GET, for the audiences
   * `memory` and `user`.
   */
  readonly isRead?: boolean;
  /** Without an `agent_id` it reads all agents of a space; the response has `X-As-Of-Position` while one is behind. */
  readonly isOfSpace?: boolean;
  /** Other systems send to it: any JSON, to any host name, since its path is the credential. */
  readonly isIntake?: boolean;
  /** Browsers save the reply as a file. */
  readonly isFile?: boolean;
  readonly audience: Audience;
  /**
   * The scope that a key needs, for the audience `memory`; by default `memory:read` for GET and `memory:write` otherwise.
   * `none`: a key of any scopes may.
   */
  readonly scope?: MemoryScope | 'none';
  /** What becomes of fields of its body that its schema does not have; see `unknownFieldsOf`. */
  readonly unknownFields?: UnknownFields;
  /** 200 by default. */
  readonly successStatus?: 200 | 201 | 202;
  /** Checked first, in this order. */
  readonly demands?: readonly Demand[];
  /** What an error response has in place of a problem, by HTTP status. */
  readonly errorReplies?: Readonly<Record<number, z.ZodType>>;
  /** Descriptions of its own error responses, by HTTP status, without those that every route has. */
  readonly refusals?: Readonly<Record<number, string>>;
}

/** What routes of one group have in common is given once. */
type OwnParts<R> = Omit<R, 'method' | 'path' | 'tag' | 'audience'>;

/** Defines a route by its path; infers the types of its schemas. */
type DefineRoute = <
  Reply extends z.ZodType,
  Path extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(
  path: string,
  route: OwnParts<Route<Path, Query, Body, Reply>>,
) => Route<Path, Query, Body, Reply>;

/** @returns a function for each method that defines routes of a group in the documentation, for one audience */
export function routesOf(tag: string, audience: Audience = 'memory'): Readonly<Record<Method, DefineRoute>> {
  const isOfLog = audience === 'memory' || audience === 'user';
  const define = (method: Method): DefineRoute => {
    const usual = isOfLog && { [method === 'get' ? 'isRead' : 'isWrite']: true };
    return (path, route) => ({ method, path, tag, audience, ...usual, ...route });
  };
  return {
    get: define('get'),
    post: define('post'),
    put: define('put'),
    patch: define('patch'),
    delete: define('delete'),
  };
}

/** The parsed input of a route. */
export interface RouteInput<R> {
  readonly path: R extends Route<infer Path, infer _Q, infer _B, infer _R> ? z.output<Path> : never;
  readonly query: R extends Route<infer _P, infer Query, infer _B, infer _R> ? z.output<Query> : never;
  readonly body: R extends Route<infer _P, infer _Q, infer Body, infer _R> ? z.output<Body> : never;
}

/** The response body of a route. */
export type RouteReply<R> = R extends Route<infer _P, infer _Q, infer _B, infer Reply> ? z.output<Reply> : never;

/**
 * By default unknown fields are refused in the memory area, where they would change what a request means, and ignored in the
 * management area, where clients send whole records back.
 */
export function unknownFieldsOf({ audience, unknownFields }: Route): UnknownFields {
  return unknownFields ?? (audience === 'memory' ? 'refuse' : 'ignore');
}

/**
 * Whether it accepts an `Idempotency-Key`: every POST, and in the memory area PATCH. Keys are kept per caller, so that
 * anonymous routes accept none.
 */
export function isRepeatable({ method, audience }: Route): boolean {
  return (method === 'post' && audience !== 'anyone') || (method === 'patch' && audience === 'memory');
}

/** The scope that a key needs for a route of the memory area. */
export function scopeOf({ method, scope }: Route): MemoryScope | 'none' {
  return scope ?? (method === 'get' ? 'memory:read' : 'memory:write');
}
