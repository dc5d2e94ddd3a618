import { issuedKeyPattern, issuedKeyStart, WireError } from '@mneme/contracts';

/** What a request shows to say who makes it. */
export interface Credential {
  /** What it can be; `unknown` is neither a key nor a token. */
  readonly kind: 'key' | 'token' | 'unknown';
  readonly text: string;
}

/** No token of an identity provider is longer, in characters. */
const maxTokenLength = 16_384;

/**
 * Reads the credential of a request. A query string is never looked at: addresses end up in logs and histories.
 * @param rawHeaders names and values in turn, as they came; Node drops what comes twice from the others
 * @returns undefined when there is none
 * @throws WireError 400 when there are several that differ
 */
export function readCredential(rawHeaders: readonly string[]): Credential | undefined {
  const authorization = onlyValue(rawHeaders, 'Authorization');
  const apiKey = onlyValue(rawHeaders, 'X-API-Key');
  const bearer = authorization === undefined ? undefined : bearerCredential(authorization);
  if (bearer === undefined || apiKey === undefined) {
    return bearer ?? (apiKey === undefined ? undefined : keyCredential(apiKey));
  }
  if (bearer.text === apiKey) return keyCredential(apiKey);
  throw ambiguous('Authorization and X-API-Key hold different credentials; send one of them');
}

function onlyValue(rawHeaders: readonly string[], name: string): string | undefined {
  const lowerName = name.toLowerCase();
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index];
    if (candidate?.length !== name.length || candidate.toLowerCase() !== lowerName) continue;
    const found = rawHeaders[index + 1] ?? '';
    if (value !== undefined && value !== found)
      throw ambiguous(`${name} was sent more than once, with different values`);
    value = found;
  }
  return value;
}

function bearerCredential(authorization: string): Credential {
  const text = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  if (text === undefined) return { kind: 'unknown', text: authorization };
  if (text.startsWith(issuedKeyStart)) return keyCredential(text);
  return { kind: text.length <= maxTokenLength ? 'token' : 'unknown', text };
}

function keyCredential(text: string): Credential {
  return { kind: issuedKeyPattern.test(text) ? 'key' : 'unknown', text };
}

function ambiguous(message: string): WireError {
  return new WireError({ status: 400, code: 'BAD_REQUEST', message });
}
