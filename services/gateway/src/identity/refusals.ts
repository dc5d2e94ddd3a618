import { WireError } from '@mneme/contracts';

/** Nobody is known to make the request. */
export class UnauthenticatedError extends WireError {
  /** What `WWW-Authenticate` says. */
  readonly challenge: string;

  constructor(message: string, challenge: string, options?: ErrorOptions) {
    super({ status: 401, code: 'UNAUTHENTICATED', message }, options);
    this.name = 'UnauthenticatedError';
    this.challenge = challenge;
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
