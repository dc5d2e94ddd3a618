import { errorOf, MnemeError } from './error.ts';
import { parseExactly } from './exact-number.ts';
import type { Input, Method, PathOf, Reply } from './operations.ts';
import { Positions } from './positions.ts';
import {
  assertVisible,
  type CallerOptions,
  type JsonOptions,
  type Outgoing,
  prepare,
  type ReadOptions,
  type WaitOptions,
} from './request.ts';
import { withRetries } from './retry.ts';
import { limitTime } from './signals.ts';

export interface ConnectionOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string | (() => string | Promise<string>) | undefined;
  /** Sends the cookie of the browser's session, and the header without which the server ignores it. */
  readonly useSession: boolean;
  readonly spaceId: string | undefined;
  readonly retries: number;
  /** How long one try may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
}

/** Speaks HTTP to one server. */
export interface Connection {
  /**
   * Sends a request of the API, again if it fails for a passing reason.
   *
   * @param options what the caller has given, without what is in `input`: other names than those of a request are refused
   * @throws MnemeError when it is refused, or fails for good
   */
  call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    input: Input<M, P> & WaitOptions & JsonOptions,
    options?: CallerOptions,
  ): Promise<Reply<M, P>>;
  /** The response to a GET when its headers have arrived; the body is not read. */
  open(path: string, how: Opening, options: ReadOptions): Promise<Response>;
  readonly positions: Positions;
}

export interface Opening {
  readonly headers: Readonly<Record<string, string>>;
  /** Unless given, those of the connection. */
  readonly retries?: number;
}

export function createConnection(options: ConnectionOptions): Connection {
  const { retries, baseUrl } = options;
  const positions = new Positions();
  const exchange = <Result>(outgoing: Outgoing, read: (response: Response) => Promise<Result>) =>
    attempt({ ...options, positions }, outgoing, read);
  return {
    positions,
    call: async (method, path, input, given = {}) => {
      const outgoing = prepare({ method, path, baseUrl }, input, given);
      const parse = input.exactNumbers ? parseExactly : JSON.parse;
      const read = (response: Response) => readJson(response, parse);
      return withRetries(() => exchange(outgoing, read), { ...outgoing, retries }) as Promise<never>;
    },
    open: async (path, { headers, retries: own = retries }, given) => {
      const outgoing = { ...prepare({ method: 'get', path, baseUrl }, {}, given), headers, isStreamed: true };
      return withRetries(() => exchange(outgoing, async (response) => response), { ...outgoing, retries: own });
    },
  };
}

type Attempting = ConnectionOptions & { readonly positions: Positions };

/** One try; a second one at once if the server does not know the position that this client has from it. */
async function attempt<Result>(
  connection: Attempting,
  outgoing: Outgoing,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  const { positions } = connection;
  const known = positions.of(outgoing.log);
  try {
    return await sendOnce(connection, outgoing, read);
  } catch (error) {
    if (known === undefined || outgoing.after !== undefined || !isUnknownPosition(error)) throw error;
    positions.forget(outgoing.log);
    return await sendOnce(connection, outgoing, read);
  }
}

/** The server has lost its log, or was replaced by another one. */
function isUnknownPosition(error: unknown): boolean {
  return error instanceof MnemeError && error.status === 400 && error.detail.includes('X-Min-Event-Position');
}

async function sendOnce<Result>(
  connection: Attempting,
  outgoing: Outgoing,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  const { method, url, body } = outgoing;
  const headers = await headersOf(connection, outgoing);
  outgoing.signal?.throwIfAborted();
  const limit = limitTime(connection.timeoutMs, outgoing.signal);
  try {
    const session = connection.useSession ? ({ credentials: 'same-origin' } as const) : {};
    // A redirection would lose the credential, and make a GET of a POST.
    const redirect = 'manual' as const;
    const init = { method: method.toUpperCase(), headers, redirect, signal: limit.signal, ...session };
    const response = await connection.fetch(url, body === undefined ? init : { ...init, body });
    connection.positions.note(response.headers.get('x-event-position'));
    if (isRedirect(response)) throw await redirected(response, url, connection.baseUrl);
    if (!response.ok) throw errorOf(response, await readBody(response), Date.now());
    const result = await read(response);
    if (!outgoing.isStreamed) limit.unfollow();
    return result;
  } catch (error) {
    limit.unfollow();
    outgoing.signal?.throwIfAborted();
    if (error instanceof MnemeError) throw error;
    throw limit.isOver() ? timedOut(connection.timeoutMs) : unreachable(connection.baseUrl, error);
  } finally {
    limit.clear();
  }
}

/** @throws MnemeError for what no header can have; the error of the platform would show the credential */
async function headersOf(
  { apiKey, useSession, spaceId: givenSpace, positions }: Attempting,
  { headers, log, after }: Outgoing,
): Promise<Headers> {
  // A file of a secret often ends with a line break.
  const credential = (typeof apiKey === 'function' ? await apiKey() : apiKey)?.trim();
  const spaceId = givenSpace?.trim();
  const position = positions.of(log, after)?.trim();
  if (credential !== undefined) assertVisible('The API key', credential);
  if (spaceId !== undefined) assertVisible('The space', spaceId);
  if (position !== undefined) assertVisible('The position', position);
  return new Headers({
    accept: 'application/json',
    ...headers,
    ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    ...(useSession && { 'mneme-console': '1' }),
    ...(spaceId !== undefined && { 'x-space-id': spaceId }),
    ...(position !== undefined && { 'x-min-event-position': position }),
  });
}

/** Browsers hide the status and the location. */
function isRedirect({ type, status, headers }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && headers.has('location'));
}

/** Names where a redirection leads, without a query, which may be confidential. */
async function redirected(response: Response, url: string, baseUrl: string): Promise<MnemeError> {
  const body = await readBody(response);
  const { status, headers } = response;
  const location = locationOf(headers.get('location'), url);
  const path = url.slice(baseUrl.length).replace(/\?.*$/, '');
  const wanted = location?.endsWith(path) ? location.slice(0, -path.length) : 'the address of the server itself';
  const detail = `The server redirects to ${location ?? 'another address'}: set baseUrl to ${wanted}`;
  return new MnemeError({ status, code: 'INVALID_RESPONSE', detail, body });
}

function locationOf(given: string | null, url: string): string | undefined {
  if (given === null) return undefined;
  try {
    const { origin, pathname } = new URL(given, url);
    return origin + pathname;
  } catch {
    return given;
  }
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function readJson(response: Response, parse: (text: string) => unknown): Promise<unknown> {
  const text = await response.text();
  try {
    return parse(text);
  } catch (cause) {
    const detail = 'The reply is not JSON; is the base URL that of a Mneme server?';
    throw new MnemeError({ status: response.status, code: 'INVALID_RESPONSE', detail, body: text, cause });
  }
}

function timedOut(timeoutMs: number): MnemeError {
  return new MnemeError({ status: 0, code: 'TIMEOUT', detail: `The server did not reply within ${timeoutMs} ms` });
}

function unreachable(baseUrl: string, cause: unknown): MnemeError {
  const detail = `The server could not be reached at ${baseUrl}`;
  return new MnemeError({ status: 0, code: 'NETWORK_ERROR', detail, cause });
}
