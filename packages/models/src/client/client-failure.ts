import { ModelError } from '../model-error.ts';

const network =
  /ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_[A-Z_]+/;
const certificate = /CERT_\w+|SELF_SIGNED\w*|UNABLE_TO_VERIFY\w*|ERR_TLS\w*/;
const brokenConnection = /connection error|fetch failed|terminated|socket hang up|other side closed/i;
const longestChain = 5;

/** What an error without a status means: one of the network, or of the client that reads the answer. */
export function failureOfClient(error: unknown, model: string): ModelError {
  const chain = causesOf(error);
  const names = chain.map((cause) => `${cause.name} ${cause.constructor.name}`).join(' ');
  const text = chain.map((cause) => `${codeOf(cause)} ${cause.message}`).join(' ');
  return errorOfAnswer(names, model) ?? errorOfConnection(names, text, model) ?? unreadable(model);
}

function errorOfAnswer(names: string, model: string): ModelError | undefined {
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
