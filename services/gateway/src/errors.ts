import { type MemoryScope, WireError } from '@mneme/contracts';

/** A refusal that another credential would help against. */
export abstract class ChallengeError extends WireError {
  /** What `WWW-Authenticate` says. */
  abstract readonly challenge: string;
}

/** Nobody is known to make the request. */
export class UnauthenticatedError extends ChallengeError {
  readonly challenge: string;

  constructor(message: string, challenge: string, options?: ErrorOptions) {
    super({ status: 401, code: 'UNAUTHENTICATED', message }, options);
    this.name = 'UnauthenticatedError';
    this.challenge = challenge;
  }
}

/** The credential is good and does not reach far enough (RFC 6750, section 3.1). */
export class InsufficientScopeError extends ChallengeError {
  readonly challenge: string;

  constructor(scope: MemoryScope) {
    super({ status: 403, code: 'FORBIDDEN', message: `The key lacks the scope ${scope}` });
    this.name = 'InsufficientScopeError';
    this.challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
  }
}

const challenge = 'Bearer realm="mneme"';

/** There is no credential where one is wanted. */
export function credentialRequired(message = 'A credential is required'): UnauthenticatedError {
  return new UnauthenticatedError(message, challenge);
}

/** The same for whatever is wrong with a credential, so that nobody learns which keys there were. */
export function credentialRefused(cause?: unknown): UnauthenticatedError {
  return new UnauthenticatedError('The credential is not valid', `${challenge}, error="invalid_token"`, { cause });
}

export function forbidden(message: string): WireError {
  return new WireError({ status: 403, code: 'FORBIDDEN', message });
}

export function tooManyRequests(message: string, retryAfterSeconds: number): WireError {
  return new WireError({ status: 429, code: 'RATE_LIMITED', message, extra: { retry_after: retryAfterSeconds } });
}
