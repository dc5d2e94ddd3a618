import type { paths as Api } from '../api.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof Api]: Api[P] extends { [K in M]: { responses: unknown } } ? P : never;
}[keyof Api] &
  string;

type Operation<M extends Method, P extends PathOf<M>> = Api[P] extends { [K in M]: infer Found } ? Found : never;

/** What an operation takes: its path parameters, query and body, as the API names them. */
export type Input<M extends Method, P extends PathOf<M>> = PathInput<Operation<M, P>> &
  QueryInput<Operation<M, P>> &
  BodyInput<Operation<M, P>>;

type PathInput<O> = O extends { parameters: { path: infer Path extends object } } ? { readonly path: Path } : unknown;
type QueryInput<O> = O extends { parameters: { query: infer Query extends object } }
  ? { readonly query: Query }
  : O extends { parameters: { query?: infer Query } }
    ? { readonly query?: Query }
    : unknown;
type BodyInput<O> = O extends { requestBody: JsonBody<infer Body> }
  ? { readonly body: Immutable<Body> }
  : O extends { requestBody?: infer Optional }
    ? OptionalBodyInput<Optional>
    : unknown;
type OptionalBodyInput<B> = [B] extends [undefined]
  ? unknown
  : NonNullable<B> extends JsonBody<infer Body>
    ? { readonly body?: Immutable<Body> }
    : unknown;
type JsonBody<Body> = { content: { 'application/json': Body } };

/** The JSON that an operation replies with. */
export type Reply<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer Responses } ? JsonOf<Responses[keyof Responses]> : never;

type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;

/** What is sent may be a caller's constant. */
type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T;
