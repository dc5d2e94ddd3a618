import { issuedKeyPattern, issuedKeyStart } from '@mneme/contracts';
import { badRequest } from '../errors.ts';

/** What a request authenticates itself with. */
export interface Credential {
  /** What it may be; `unknown` is neither a key nor a token. */
  readonly kind: 'key' | 'token' | 'unknown';
  readonly text: string;
}

/** The longest token of an identity provider, in characters. */
const maxTokenLength = 16_384;

/**
 * Reads the credential of a request. Query strings are ignored, because addresses end up in logs and histories.
 * @param rawHeaders names and values in turn, as received; the parsed headers of Node lack repeated ones
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
  throw badRequest('Authorization and X-API-Key hold different credentials; send one of them');
}

function onlyValue(rawHeaders: readonly string[], name: string): string | undefined {
  const lowerName = name.toLowerCase();
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index];
    if (candidate?.length !== name.length || candidate.toLowerCase() !== lowerName) continue;
    const found = rawHeaders[index + 1] ?? '';
    if (value !== undefined && value !== found)
      throw badRequest(`${name} was sent more than once, with different values`);
    value = found;
  }
  return value;
}

function bearerCredential(authorization: string): Credential {
  const text = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  return text === undefined ? { kind: 'unknown', text: authorization } : credentialIn(text);
}

/** A credential by itself: a key, or else a token. */
export function credentialIn(text: string): Credential {
  if (text.startsWith(issuedKeyStart)) return keyCredential(text);
  return { kind: text.length <= maxTokenLength ? 'token' : 'unknown', text };
}

function keyCredential(text: string): Credential {
  return { kind: issuedKeyPattern.test(text) ? 'key' : 'unknown', text };
}
