import { ModelError } from '../model-error.ts';
import { readRetryAfter } from './retry-after.ts';
import type { Redaction } from './secrets.ts';

export interface FailureContext {
  /** `<provider>:<model>` */
  readonly model: string;
  readonly redact: Redaction;
  readonly now: Date;
}

export interface Failure {
  readonly error: ModelError;
  readonly canRetry: boolean;
}

const usedUp = /insufficient[_ ]quota|exceeded your current quota|billing|credit balance/i;
const networkCodes =
  /ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_\w+|CERT_\w+|SELF_SIGNED\w*/;

/** Says what the error of a model's client means for the caller, and whether the same request may be sent again. */
export function toFailure(error: unknown, context: FailureContext): Failure {
  if (error instanceof ModelError) return { error, canRetry: error.isPassing };
  const status = statusOf(error);
  if (status !== undefined) return failureOfStatus(status, error, context);
  return failureOfClient(error, context);
}

function failureOfStatus(status: number, error: unknown, { model, redact, now }: FailureContext): Failure {
  const said = redact(messageOf(error));
  const retryAfterMs = readRetryAfter(headerOf(error, 'retry-after'), now);
  const details = { status, retryAfterMs };
  if (status === 401 || status === 403)
    return final(
      'authentication',
      `${model}: the server refused the key (status ${status}). Check the API key.`,
      details,
    );
  if (status === 429 && usedUp.test(messageOf(error)))
    return final('rate-limited', `${model}: the quota of the key is used up. The server said: ${said}`, details);
  if (status === 429)
    return passing(
      'rate-limited',
      `${model}: the server allows no more requests now${waitText(retryAfterMs)}.`,
      details,
    );
  if (status === 408) return passing('timeout', `${model}: the server took too long (status 408).`, details);
  if (status === 404)
    return final(
      'configuration',
      `${model}: the server does not know this model or address (status 404). The server said: ${said}`,
      details,
    );
  if (status >= 500)
    return passing(
      'unavailable',
      `${model}: the server has failed (status ${status}). The server said: ${said}`,
      details,
    );
  return final(
    'configuration',
    `${model}: the server refused the request (status ${status}). The server said: ${said}`,
    details,
  );
}

/** Errors that hold no status: of the network, or of the client that reads the answer. */
function failureOfClient(error: unknown, { model, redact }: FailureContext): Failure {
  const chain = causesOf(error);
  const names = chain.map((cause) => cause.constructor.name).join(' ');
  const text = chain.map((cause) => `${codeOf(cause)} ${cause.message}`).join(' ');
  if (/LengthFinishReason/.test(names)) return final('invalid-output', truncatedMessage(model));
  if (/ContentFilter/.test(names))
    return final('refused', `${model}: the server's content filter held the answer back.`);
  if (/ContextOverflow/.test(names))
    return final(
      'configuration',
      `${model}: the text is longer than the model can take. Choose a model with a longer context.`,
    );
  if (/credentials|api[_ ]?key/i.test(text)) return final('authentication', `${model}: an API key is missing.`);
  if (/TimeoutError/.test(names) || chain.some((cause) => cause.name === 'TimeoutError'))
    return passing('timeout', `${model}: no answer in time.`);
  const network = networkCodes.exec(text)?.[0];
  if (network !== undefined || /connection error|fetch failed|terminated|socket/i.test(text))
    return passing(
      'unavailable',
      `${model}: the server cannot be reached${network === undefined ? '' : ` (${network})`}.`,
    );
  return final('invalid-output', `${model}: the answer cannot be read. ${redact(messageOf(error))}`);
}

export function truncatedMessage(model: string): string {
  return `${model}: the answer was cut off at the model's limit of output tokens. Store shorter items, or choose a model that may write more.`;
}

function waitText(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? '' : `, and asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
}

function final(...[code, message, details]: ConstructorParameters<typeof ModelError>): Failure {
  return { error: new ModelError(code, message, details), canRetry: false };
}

function passing(...[code, message, details]: ConstructorParameters<typeof ModelError>): Failure {
  return { error: new ModelError(code, message, details), canRetry: true };
}

export function statusOf(error: unknown): number | undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function headerOf(error: unknown, name: string): string | null {
  const headers = typeof error === 'object' && error !== null && 'headers' in error ? error.headers : undefined;
  return headers instanceof Headers ? headers.get(name) : null;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const longestChain = 5;

function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error && chain.length < longestChain; cause = cause.cause) chain.push(cause);
  return chain;
}
