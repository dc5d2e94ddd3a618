import { ModelError, type ModelErrorCode } from '../model-error.ts';

export interface FailureContext {
  /** `<provider>:<model>` */
  readonly model: string;
  readonly redact: Redaction;
  readonly now: Date;
}

/** Turns what a client library or `fetch` threw into a ModelError. Only transient errors (`isPassing`) may be retried. */
export function toModelError(error: unknown, context: FailureContext): ModelError {
  if (error instanceof ModelError) return error;
  const status = fieldOf(error, 'status');
  return typeof status === 'number' ? errorOfStatus(status, error, context) : failureOfClient(error, context.model);
}

function errorOfStatus(status: number, error: unknown, { model, redact, now }: FailureContext): ModelError {
  const text = textOf(error);
  const retryAfterMs = readRetryAfter(headerOf(error, 'retry-after'), now);
  const { code, what, isOwn } = meaningOf(status, text, retryAfterMs);
  const said = isOwn || text === '' ? '' : `${saidMark}${redact(text)}`;
  return new ModelError(code, `${model}: ${what} (status ${status}).${said}`, { status, retryAfterMs });
}

/** Begins the server's own words, which may repeat what it was sent: they are for the caller, and no log has them. */
const saidMark = ' The server said: ';

/** What the server said of a failure; undefined when it is not known. */
export function saidIn({ message }: ModelError): string | undefined {
  const [, said] = message.split(saidMark);
  return said;
}

/** The message of a failure without the words of the server. */
export function messageToLog({ message }: ModelError): string {
  return message.split(saidMark, 1).join();
}

interface Meaning {
  readonly code: ModelErrorCode;
  readonly what: string;
  /** The server's own text is left out: it adds nothing, or may contain the key. */
  readonly isOwn?: boolean;
}

const usedUp = /insufficient[_ ]quota|exceeded your current quota|billing|credit balance/i;

function meaningOf(status: number, text: string, retryAfterMs: number | undefined): Meaning {
  // Servers that are not OpenAI's use 402 or 403 for it.
  if (status === 402 || ((status === 403 || status === 429) && usedUp.test(text)))
    return { code: 'quota', what: 'the quota of the key is used up' };
  if (status === 401 || status === 403)
    return { code: 'authentication', what: 'the server refused the key. Check the API key', isOwn: true };
  if (status === 429)
    return {
      code: 'rate-limited',
      what: `the server allows no more requests now${waitText(retryAfterMs)}`,
      isOwn: true,
    };
  if (status === 404) return { code: 'configuration', what: 'the server does not know this model or address' };
  if (status === 408) return { code: 'timeout', what: 'the server took too long', isOwn: true };
  if (status >= 500 && status !== 501) return { code: 'unavailable', what: 'the server has failed' };
  return { code: 'configuration', what: 'the server refused the request' };
}

/** For a request that may not wait as long as a rate limit still lasts. */
export function limitedFor(leftMs: number, model: string, { status }: ModelError): ModelError {
  const retryAfterMs = Math.ceil(leftMs);
  const what = `the server allows no more requests now; try again in ${Math.ceil(leftMs / 1000)} s`;
  return new ModelError('rate-limited', `${model}: ${what} (status ${status}).`, { status, retryAfterMs });
}

function waitText(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined || retryAfterMs === 0
    ? ''
    : ` and asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
}

/** The server's own message, without the text that client libraries add. */
function textOf(error: unknown): string {
  const own = fieldOf(fieldOf(error, 'error'), 'message');
  if (typeof own === 'string') return own;
  const message = error instanceof Error ? error.message : '';
  const [written = ''] = message.split('Troubleshooting URL:', 1);
  return written.trimEnd().replace(/^\d{3} (?:status code \(no body\))?/, '');
}

function headerOf(error: unknown, name: string): string | null {
  const headers = fieldOf(error, 'headers');
  return headers instanceof Headers ? headers.get(name) : null;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

const network =
  /ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_[A-Z_]+/;
const certificate = /CERT_\w+|SELF_SIGNED\w*|UNABLE_TO_VERIFY\w*|ERR_TLS\w*/;
const brokenConnection = /connection error|fetch failed|terminated|socket hang up|other side closed/i;
const longestChain = 5;

/** An error without a status: one of the network, or of the client that reads the answer. */
function failureOfClient(error: unknown, model: string): ModelError {
  const chain = causesOf(error);
  const names = chain.map((cause) => `${cause.name} ${cause.constructor.name}`).join(' ');
  const text = chain.map((cause) => `${codeOf(cause)} ${cause.message}`).join(' ');
  return errorOfAnswer(names, model) ?? errorOfConnection(names, text, model) ?? unreadable(model);
}

function errorOfAnswer(names: string, model: string): ModelError | undefined {
  if (names.includes('AnswerTooLarge'))
    return new ModelError('invalid-output', `${model}: the answer is larger than 64 MiB. Is the base URL right?`);
  if (names.includes('LengthFinishReason')) return truncated(model);
  if (names.includes('ContentFilter'))
    return new ModelError('refused', `${model}: the content filter of the server held the answer back.`);
  if (names.includes('ContextOverflow'))
    return new ModelError(
      'configuration',
      `${model}: the text is longer than the model takes. Choose one that takes more.`,
    );
  return undefined;
}

function errorOfConnection(names: string, text: string, model: string): ModelError | undefined {
  const bad = certificate.exec(text)?.[0];
  if (bad !== undefined)
    return new ModelError('configuration', `${model}: the certificate of the server is not trusted (${bad}).`);
  if (names.includes('TimeoutError')) return new ModelError('timeout', `${model}: no answer in time.`);
  const code = network.exec(text)?.[0];
  if (code === undefined && !brokenConnection.test(text)) return undefined;
  const why = code === undefined ? '' : ` (${code})`;
  return new ModelError('unavailable', `${model}: the server cannot be reached, or has cut the connection${why}.`);
}

function unreadable(model: string): ModelError {
  return new ModelError(
    'invalid-output',
    `${model}: the answer cannot be read. Is the server OpenAI-compatible, and its base URL right?`,
  );
}

export function truncated(model: string): ModelError {
  return new ModelError(
    'invalid-output',
    `${model}: the answer was cut off at the limit of output tokens. Choose a model that may write more, or store shorter items.`,
  );
}

function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error && chain.length < longestChain; cause = cause.cause) chain.push(cause);
  return chain;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * Reads `Retry-After` (RFC 9110, 10.2.3): seconds, also with a fraction, or a date.
 *
 * @returns milliseconds, 0 for a date in the past; undefined when it cannot be read
 */
export function readRetryAfter(value: string | null | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  if (!/[a-z]{3}/i.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now.getTime());
}

const longestDetail = 300;
const looksLikeKey = /\b(?:sk|pk|key|api)[-_][\w*.-]{6,}|\bBearer\s+\S+/gi;

/** Prepares a server's text for a message: one line of at most 300 characters, without keys. */
export type Redaction = (text: string) => string;

export function createRedaction(secrets: readonly (string | undefined)[]): Redaction {
  const known = secrets.filter((secret) => secret !== undefined && secret !== '').map(String);
  return (text) => {
    const bare = known.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text).replace(looksLikeKey, '[key]');
    const line = bare.replace(/\s+/g, ' ').trim();
    return line.length > longestDetail ? `${line.slice(0, longestDetail)}...` : line;
  };
}

const refusedStatuses = [400, 415, 422, 501];

/** Whether the server rejected the form of the request, so that another form may work. */
export function isRefusedRequest(error: unknown): error is ModelError {
  return error instanceof ModelError && error.status !== undefined && refusedStatuses.includes(error.status);
}
