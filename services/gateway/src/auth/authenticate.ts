import { hash } from 'node:crypto';
import type { Request } from 'express';
import { credentialRefused, SessionExpiredError, tooManyRequests, UnauthenticatedError } from '../errors.ts';
import { addressOf } from '../http/request.ts';
import type { FailureLimit } from '../rate-limit/failure-limit.ts';
import { assertExpectedCaller } from '../sessions/own-pages.ts';
import type { Session } from '../sessions/session-store.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { anonymousCaller, type Caller, type KeyCaller, keyCaller, type UserCaller, userCaller } from './caller.ts';
import { type Credential, credentialIn, readCredential } from './credential.ts';
import type { KeyRecords } from './key-records.ts';
import type { TokenVerifier, VerifiedUser } from './token-verifier.ts';

export interface AuthenticationDeps {
  readonly tokens: TokenVerifier;
  readonly keys: KeyRecords;
  readonly failures: FailureLimit;
  readonly sessions: Sessions;
  /** The ids of the users who are operators whatever their tokens say. */
  readonly operators: ReadonlySet<number>;
  /** The role of operators now; a session may have another one from earlier settings. */
  readonly operatorRole: string | undefined;
}

/**
 * Authenticates a request before anything else of it is read. Invalid credentials are never treated as none. The session of
 * a browser counts where there is no other credential.
 * @throws WireError 401 for an invalid credential, 400 for several different ones, 429 when too many from this address
 * were invalid, 503 when the credential cannot be verified now; for a session 401 `SESSION_EXPIRED`, also if it is not that
 * of the caller whom the page expects, 403 for pages of others
 */
export async function authenticate(request: Request, deps: AuthenticationDeps): Promise<Caller> {
  const caller = await identify(request, deps);
  assertExpectedCaller(request, caller.id);
  return caller;
}

/**
 * Authenticates a request, whichever caller its page expects.
 * @throws WireError like `authenticate`
 */
export async function identify(request: Request, deps: AuthenticationDeps): Promise<Caller> {
  const credential = readCredential(request.rawHeaders);
  if (credential) return verifyCredential(credential, addressOf(request), deps);
  const session = await deps.sessions.of(request);
  return session ? callerOfSession(session, addressOf(request), deps) : anonymousCaller;
}

/**
 * @param address where it comes from, as `addressOf` says
 * @throws WireError like `authenticate`
 */
export async function verifyCredential(
  credential: Credential,
  address: string,
  deps: AuthenticationDeps,
): Promise<UserCaller | KeyCaller> {
  const credentialHash = hash('sha256', credential.text);
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

/** @throws SessionExpiredError when the credential of the session is no longer valid */
async function callerOfSession({ grant }: Session, address: string, deps: AuthenticationDeps): Promise<Caller> {
  if ('userId' in grant) return callerOfUser(grant, deps);
  try {
    return await verifyCredential(credentialIn(grant.credential), address, deps);
  } catch (error) {
    throw error instanceof UnauthenticatedError ? new SessionExpiredError({ cause: error }) : error;
  }
}

async function verify(
  credential: Credential,
  credentialHash: string,
  deps: AuthenticationDeps,
): Promise<UserCaller | KeyCaller> {
  if (credential.kind === 'token') return callerOfUser(await deps.tokens.verify(credential.text), deps);
  const record = credential.kind === 'key' ? await deps.keys.findValid(credentialHash) : undefined;
  if (!record) throw credentialRefused();
  return keyCaller(record, record.countedAs ?? credentialHash);
}

function callerOfUser({ userId, operatorRole }: VerifiedUser, deps: AuthenticationDeps): UserCaller {
  const hasRole = operatorRole !== undefined && operatorRole === deps.operatorRole;
  return userCaller(userId, hasRole || deps.operators.has(userId));
}
