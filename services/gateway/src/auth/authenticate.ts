import { hash } from 'node:crypto';
import type { Request } from 'express';
import { credentialRefused, tooManyRequests, UnauthenticatedError } from '../errors.ts';
import type { FailureLimit } from '../rate-limit/failure-limit.ts';
import { anonymousCaller, type Caller, keyCaller, userCaller } from './caller.ts';
import { type Credential, readCredential } from './credential.ts';
import type { KeyRecords } from './key-records.ts';
import type { TokenVerifier } from './token-verifier.ts';

export interface AuthenticationDeps {
  readonly tokens: TokenVerifier;
  readonly keys: KeyRecords;
  readonly failures: FailureLimit;
}

/**
 * Authenticates a request before anything else of it is read. Invalid credentials are never treated as none.
 * @throws WireError 401 for an invalid credential, 400 for several different ones, 429 when too many from this address
 * were invalid, 503 when the credential cannot be verified now
 */
export async function authenticate(request: Request, deps: AuthenticationDeps): Promise<Caller> {
  const credential = readCredential(request.rawHeaders);
  if (!credential) return anonymousCaller;
  const credentialHash = hash('sha256', credential.text);
  const address = request.ip ?? '';
  const assertBelowLimit = () => {
    const waitSeconds = deps.failures.secondsToWait(address, credentialHash);
    if (waitSeconds === undefined) return;
    throw tooManyRequests('Too many failed credentials came from this address, try again later', waitSeconds);
  };
  // A key is always looked up: that takes one read, and a valid key must not suffer from invalid ones.
  if (credential.kind !== 'key') assertBelowLimit();
  try {
    const caller = await verify(credential, credentialHash, deps);
    deps.failures.accepted(credentialHash);
    return caller;
  } catch (error) {
    if (!(error instanceof UnauthenticatedError)) throw error;
    assertBelowLimit();
    deps.failures.failed(address, credentialHash);
    throw error;
  }
}

async function verify(
  credential: Credential,
  credentialHash: string,
  { tokens, keys }: AuthenticationDeps,
): Promise<Caller> {
  if (credential.kind === 'token') return userCaller(await tokens.verify(credential.text));
  const record = credential.kind === 'key' ? await keys.findValid(credentialHash) : undefined;
  if (!record) throw credentialRefused();
  return keyCaller(record, credentialHash);
}
