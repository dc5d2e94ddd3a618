import { invalidRequest } from './error.ts';
import type { Method } from './operations.ts';
import { type Log, logOf } from './positions.ts';

/** Options of every request. */
export interface RequestOptions {
  /** Ends the request, and the waiting between its tries. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of requests that read. */
export interface ReadOptions extends RequestOptions {
  /** Waits until the write at this position is seen: the `position` of another client, `<log>:<sequence>`. */
  readonly after?: string | undefined;
}

/** Options of requests that change something. */
export interface CommandOptions extends RequestOptions {
  /**
   * Requests with the same key within 24 h are carried out once; 1 to 255 visible ASCII characters. By default the client
   * makes one for all tries of a command. Give your own to repeat a command after a restart of your program.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of requests that the server may answer before the work is done. */
export interface WaitOptions {
  /** The server returns 504 after this many seconds. A fraction is rounded up. */
  readonly waitSeconds?: number | undefined;
}

/** For JSON whose numbers keep the form in which they are written. */
export interface JsonOptions {
  /** The body as JSON text, which is sent as it is, in place of `body`. */
  readonly bodyJson?: string | undefined;
  /** Numbers of the reply that JavaScript numbers would change become an `ExactNumber`. */
  readonly exactNumbers?: boolean | undefined;
}

/** A request that can be sent several times. */
export interface Outgoing extends RequestOptions {
  readonly method: Method;
  readonly url: string;
  readonly log: Log;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly after: string | undefined;
  /** A 504 is the answer, and not a failure. */
  readonly hasWaitLimit: boolean;
  /** The body is read after the try has ended. */
  readonly isStreamed: boolean;
}

/** What a caller may say of a request. */
export type CallerOptions = ReadOptions & CommandOptions;

interface AnyInput extends WaitOptions, JsonOptions {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

/** POST requests that only read. Repeating them is safe, and keeping their answers is a waste. */
const readingPosts: ReadonlySet<string> = new Set(['/api/search']);

interface Target {
  readonly method: Method;
  readonly path: string;
  readonly baseUrl: string;
}

/** @throws MnemeError for what cannot be sent, and for options of the caller that do not exist */
export function prepare({ method, path, baseUrl }: Target, input: AnyInput, options: CallerOptions): Outgoing {
  const { path: values = {}, query = {}, body: content, bodyJson, waitSeconds } = input;
  const isCommand = method === 'patch' || (method === 'post' && !readingPosts.has(path));
  const { signal, after, ...others } = options;
  const { idempotencyKey = newKey(), ...unknown } = others;
  refuseFields('option', isCommand ? unknown : others);
  assertVisible('The idempotency key', idempotencyKey);
  if (waitSeconds !== undefined) assertDuration('waitSeconds', waitSeconds);
  const body = bodyJson ?? (content === undefined ? undefined : toJson(content));
  return {
    method,
    url: baseUrl + fillIn(path, values) + queryString(query),
    log: logOf(path),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(isCommand && { 'idempotency-key': idempotencyKey }),
      ...(waitSeconds !== undefined && { prefer: `wait=${Math.ceil(waitSeconds)}` }),
    },
    body,
    after,
    signal,
    hasWaitLimit: waitSeconds !== undefined,
    isStreamed: false,
  };
}

/** What destructuring leaves of an object: if its type has a field that was not taken, this does not compile. */
type Rest = Readonly<Record<string, undefined>>;

/**
 * For an object that is taken apart.
 *
 * @param kind what a field of it is called
 * @param unknown what is left of the object without its known fields; a value that is undefined was not given
 * @throws MnemeError that names the first one
 */
export function refuseUnknown(kind: string, unknown: Rest): void {
  refuseFields(kind, unknown);
}

/** The names of all fields of `T`; as a literal it compiles with neither more nor fewer. */
export type NamesOf<T> = { readonly [Name in keyof T]-?: true };

/**
 * For an object that is passed on as a whole.
 *
 * @param kind what a field of it is called
 * @returns the object
 * @throws MnemeError that names the first field that is not one of `names`
 */
export function onlyKnown<T extends object>(kind: string, given: T, names: NamesOf<NoInfer<T>>): T {
  const unknown = Object.entries(given).filter(([name]) => !Object.hasOwn(names, name));
  refuseFields(kind, Object.fromEntries(unknown));
  return given;
}

function refuseFields(kind: string, unknown: object): void {
  const [name] = Object.entries(unknown).find(([, value]) => value !== undefined) ?? [];
  if (name === undefined) return;
  const camelCase = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const advice = camelCase === name ? '' : `; names are written like ${camelCase}`;
  throw invalidRequest(`There is no ${kind} ${name}${advice}`);
}

/** @throws MnemeError, which does not show the value, unless it has visible ASCII characters only */
export function assertVisible(name: string, value: string): void {
  if (/^[\x21-\x7e]+$/.test(value)) return;
  throw invalidRequest(`${name} is empty, or has blanks or other characters that it cannot have`);
}

function assertDuration(name: string, seconds: number): void {
  if (seconds >= 0 && Number.isFinite(seconds)) return;
  throw invalidRequest(`${name} must be a number from 0 on: ${seconds}`);
}

/** @throws MnemeError for what JSON does not have: circles, BigInt, and NaN and invalid dates, which `JSON.stringify` alone makes null */
function toJson(body: unknown): string {
  try {
    return JSON.stringify(body, function (this: Readonly<Record<string, unknown>>, name, value: unknown) {
      // A date is a text or null here already.
      const given = this[name];
      const isNoDate = given instanceof Date && Number.isNaN(given.getTime());
      const isNoNumber = typeof value === 'number' && !Number.isFinite(value);
      if (isNoDate || isNoNumber) throw new TypeError(`${name} is ${given}`);
      return value;
    });
  } catch (cause) {
    const [reason] = String(cause).split('\n', 1);
    throw invalidRequest(`The request cannot be written as JSON: ${reason}`, { cause });
  }
}

/** @throws MnemeError for a value that cannot be part of a path: a dot or two are a step in it, also percent-encoded */
function fillIn(path: string, values: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    if (!/^\.{0,2}$|\p{Surrogate}/u.test(value)) return encodeURIComponent(value);
    throw invalidRequest(`${name} must not be empty, "." or "..", nor have half a character`);
  });
}

function queryString(query: NonNullable<AnyInput['query']>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return String(parameters) === '' ? '' : `?${parameters}`;
}

/** 128 random bits. Node 18 has no `crypto` as a global, and browsers have `randomUUID` on secure pages only. */
export function newKey(): string {
  const numbers = new Uint32Array(4);
  if (globalThis.crypto === undefined) numbers.set(Array.from(numbers, () => Math.random() * 2 ** 32));
  else globalThis.crypto.getRandomValues(numbers);
  return `client-${[...numbers].map((number) => number.toString(16).padStart(8, '0')).join('')}`;
}
