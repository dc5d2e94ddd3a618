import { hash } from 'node:crypto';
import type { Request } from 'express';
import { credentialRefused, tooManyRequests, UnauthenticatedError } from '../errors.ts';
import type { FailureBrake } from '../rate-limit/failure-limit.ts';
import { anonymousCaller, type Caller, keyCaller, userCaller } from './caller.ts';
import { type Credential, readCredential } from './credential.ts';
import type { KeyRecords } from './key-records.ts';
import type { TokenVerifier } from './token-verifier.ts';

export interface AuthenticationDeps {
  readonly tokens: TokenVerifier;
  readonly keys: KeyRecords;
  readonly brake: FailureBrake;
}

/**
 * Finds out who makes a request, before anything else of it is read. A bad credential is never taken for none.
 * @throws WireError 401 when the credential is not good, 400 when there are several, 429 when too many from this address
 * were not good, 503 when it cannot be verified now
 */
export async function authenticate(request: Request, deps: AuthenticationDeps): Promise<Caller> {
  const credential = readCredential(request.rawHeaders);
  if (!credential) return anonymousCaller;
  const credentialHash = hash('sha256', credential.text);
  const address = request.ip ?? '';
  const brake = () => {
    const waitSeconds = deps.brake.secondsToWait(address, credentialHash);
    if (waitSeconds === undefined) return;
    throw tooManyRequests('Too many failed credentials came from this address, try again later', waitSeconds);
  };
  // A key is looked up in any case: that takes one read, and a good one has nothing to do with the bad ones.
  if (credential.kind !== 'key') brake();
  try {
    const caller = await verify(credential, credentialHash, deps);
    deps.brake.accepted(credentialHash);
    return caller;
  } catch (error) {
    if (!(error instanceof UnauthenticatedError)) throw error;
    brake();
    deps.brake.failed(address, credentialHash);
    throw error;
  }
}

async function verify(
  credential: Credential,
  credentialHash: string,
  { tokens, keys }: AuthenticationDeps,
): Promise<Caller> {
  if (credential.kind === 'token') return userCaller(await tokens.verify(credential.text));
  const record = credential.kind === 'key' ? await keys.findGood(credentialHash) : undefined;
  if (!record) throw credentialRefused();
  return keyCaller(record, credentialHash);
}
