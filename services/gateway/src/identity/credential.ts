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
 * @param headers the values of each header, one by one
 * @returns undefined when there is none
 * @throws WireError 400 when there are several that differ
 */
export function readCredential(headers: NodeJS.Dict<string[]>): Credential | undefined {
  const authorization = onlyValue(headers, 'Authorization');
  const apiKey = onlyValue(headers, 'X-API-Key');
  const bearer = authorization === undefined ? undefined : bearerCredential(authorization);
  if (bearer === undefined || apiKey === undefined) {
    return bearer ?? (apiKey === undefined ? undefined : keyCredential(apiKey));
  }
  if (bearer.text === apiKey) return keyCredential(apiKey);
  throw ambiguous('Authorization and X-API-Key hold different credentials; send one of them');
}

function onlyValue(headers: NodeJS.Dict<string[]>, name: string): string | undefined {
  const [value, ...others] = headers[name.toLowerCase()] ?? [];
  if (others.every((other) => other === value)) return value;
  throw ambiguous(`${name} was sent more than once, with different values`);
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
