import { WireError } from '@mneme/contracts';
import { isUnavailable } from '@mneme/service-kit';
import { codeOf } from './problem.ts';

/** The caller closed the connection; nobody is left to answer. */
export class CallerGoneError extends Error {
  override readonly name = 'CallerGoneError';
}

/** Turns anything thrown while a request is worked on into what the caller may know of it. */
export function toWireError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  const cause = { cause: error };
  if (isUnavailable(error)) {
    const message = 'The event log is out of reach, try again later';
    return new WireError({ status: 503, code: 'UNAVAILABLE', message }, cause);
  }
  return (
    fromHttpError(error) ?? new WireError({ status: 500, code: 'INTERNAL_ERROR', message: 'Internal error' }, cause)
  );
}

/**
 * Express and its body parser put the status that a request deserves on their errors, and mark those that a caller may
 * see. Errors of other libraries have a `status` too, which is about something else.
 */
function fromHttpError(error: unknown): WireError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!(error instanceof URIError || 'expose' in error)) return undefined;
  const { status, type } = error as { status?: unknown; type?: unknown };
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  const message = messages[String(type)] ?? (error instanceof URIError ? malformedPath : 'The request is malformed');
  return new WireError({ status, code: codeOf(status), message }, { cause: error });
}

const malformedPath = 'The path has a malformed percent-encoding';
const messages: Readonly<Record<string, string>> = {
  'entity.too.large': 'The body is larger than allowed',
  'encoding.unsupported': 'The content encoding is not supported; send identity, gzip, deflate or br',
  'request.aborted': 'The body was cut off',
  'request.size.invalid': 'The body is not as long as Content-Length says',
};
