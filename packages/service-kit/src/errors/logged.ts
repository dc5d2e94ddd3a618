/** The cause of an error that came from a service which has written it into its log, with its stack and request id. */
export class LoggedByServiceError extends Error {
  override readonly name = 'LoggedByServiceError';
}

/** Whether an error is in a log already: each one is to be there once. */
export function isLogged(error: Error): boolean {
  return error.cause instanceof LoggedByServiceError;
}
