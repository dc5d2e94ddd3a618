import { MnemeError } from '@mneme/client';
import type { z } from 'zod';

/** A refusal of a tool itself; its message says what to do. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/**
 * @param ifMissing what to do if there is no such thing, in a sentence
 * @returns what a model is told about a failure; undefined for a fault of the program
 */
export function adviceFor(error: unknown, ifMissing = ''): string | undefined {
  if (error instanceof ToolError) return error.message;
  if (!(error instanceof MnemeError)) return undefined;
  return `${error.detail.replace(/[.\s]+$/, '')}. ${error.status === 404 ? ifMissing : whatToDo(error)}`.trim();
}

/** @returns a sentence, or nothing where the message says enough */
function whatToDo({ status, code, retryAfter, requestId }: MnemeError): string {
  if (status === 422 || code === 'INVALID_REQUEST') return 'Correct the arguments and call again.';
  switch (status) {
    case 401:
      return 'The API key is missing or no longer valid: tell the user to set a valid key for this MCP server.';
    case 403:
      return 'This key is not allowed to do that: do not try again, tell the user.';
    case 409:
      return 'Look at the present state, then decide again.';
    case 429:
      return `Wait ${retryAfter ?? 60} s before the next call.`;
    case 0:
    case 502:
    case 503:
    case 504:
      return `Memory does not answer now, which does not mean that it is empty. Try again${inSeconds(retryAfter)}.`;
    default:
      return status >= 500 && requestId !== undefined ? `Tell the user the request id: ${requestId}.` : '';
  }
}

function inSeconds(seconds: number | undefined): string {
  return seconds === undefined ? ' later' : ` in ${seconds} s`;
}

/** Arguments that do not fit the schema, each with what it should be. */
export function argumentFaults({ issues }: z.ZodError): string {
  const faults = issues.map(({ path, message }) => {
    const fault = message.endsWith('received undefined') ? 'is required' : message;
    return path.length === 0 ? fault : `${path.join('.')}: ${fault}`;
  });
  return `Invalid arguments. ${faults.join('; ')}. Correct them and call again.`;
}
