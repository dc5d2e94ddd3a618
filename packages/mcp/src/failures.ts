import { MnemeError } from '@mneme/client';
import type { z } from 'zod';

/** A refusal of a tool itself; its message says what to do. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** What to do in a case that depends on what was called, in a sentence. */
export interface Advice {
  /** If there is no such thing. */
  readonly ifMissing?: string | undefined;
  /** If no answer came. Default: to try again, which does no harm. */
  readonly ifUnanswered?: string | undefined;
}

/** @returns what a model is told about a failure; undefined for a fault of the program */
export function adviceFor(error: unknown, advice: Advice = {}): string | undefined {
  if (error instanceof ToolError) return error.message;
  if (!(error instanceof MnemeError)) return undefined;
  return `${withoutPlaces(error.detail).replace(/[.\s]+$/, '')}. ${whatToDo(error, advice)}`.trim();
}

/** Names fields as the arguments of a tool are called: where they stand in a request over HTTP is nothing that a model knows. */
function withoutPlaces(detail: string): string {
  return detail.replace(/(^|; )(?:body|query|path)(?:\.items\.\d+)?\.(?=\w+(?:\.\w+)*: )/g, '$1');
}

/** Whether the caller has to correct what it gave. */
export function isInvalid({ status, code }: MnemeError): boolean {
  return status === 400 || status === 422 || code === 'INVALID_REQUEST';
}

/** @returns a sentence, or nothing where the message says enough */
function whatToDo(error: MnemeError, { ifMissing = '', ifUnanswered }: Advice): string {
  if (isInvalid(error)) return 'Correct the arguments and call again.';
  const { status, retryAfter, requestId } = error;
  switch (status) {
    case 401:
      return 'The API key is missing or no longer valid: tell the user to set a valid key for this MCP server.';
    case 403:
      return 'This key is not allowed to do that: do not try again, tell the user.';
    case 404:
      return ifMissing;
    case 409:
      return 'Look at the present state, then decide again.';
    case 429:
      return `Wait ${retryAfter ?? 60} s before the next call.`;
    case 0:
    case 502:
    case 503:
    case 504:
      if (ifUnanswered !== undefined && (retryAfter === undefined || status !== 503)) return ifUnanswered;
      return `Memory does not answer now, which does not mean that it is empty. Try again${inSeconds(retryAfter)}.`;
    default:
      return status >= 500 && requestId !== undefined ? `Tell the user the request id: ${requestId}.` : '';
  }
}

function inSeconds(seconds: number | undefined): string {
  return seconds === undefined ? ' later' : ` in ${seconds} s`;
}

/** What does not fit a schema, each part with what it should be. */
export function faultsOf({ issues }: Pick<z.ZodError, 'issues'>): string {
  const faults = issues.map(({ path, message }) => {
    const fault = message.endsWith('received undefined') ? 'is required' : message;
    return path.length === 0 ? fault : `${path.join('.')}: ${fault}`;
  });
  return faults.join('; ');
}
