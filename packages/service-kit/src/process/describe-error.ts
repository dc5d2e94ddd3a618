import { shownMessage } from '../errors/shown-message.ts';

/** An error as it is logged. */
export interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  /** What MongoDB calls the code. */
  readonly codeName?: string;
  readonly stack?: string;
  readonly cause?: DescribedError;
}

/** Causes of causes beyond this are left out. */
const maxDepth = 5;

/**
 * What the log says of an error: its name, message, code, stack and causes. Other fields are left out, because errors of
 * clients carry what was to be written: that of a MongoDB bulk write has the documents.
 */
export function describeError(error: unknown, depth = 0): DescribedError | unknown {
  if (!(error instanceof Error)) return typeof error === 'object' ? typeof error : error;
  const { code, codeName } = error as { code?: unknown; codeName?: unknown };
  return {
    type: error.name,
    message: withoutQuotedTexts(shownMessage(error)),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(typeof codeName === 'string' && { codeName }),
    ...(typeof error.stack === 'string' && { stack: shownStack(error, error.stack) }),
    ...(error.cause !== undefined && depth < maxDepth && { cause: describeError(error.cause, depth + 1) }),
  };
}

/** A stack begins with the message; in that of an error of a store, only the frames are sure to quote nothing. */
function shownStack(error: Error, stack: string): string {
  const shown = shownMessage(error);
  const message = String(error.message);
  if (shown === message) return withoutQuotedTexts(stack);
  if (stack.includes(message)) return withoutQuotedTexts(stack.replaceAll(message, () => shown));
  return `${String(error.name)}: ${shown}`;
}

/** The parser of JSON quotes the text that it cannot read, and a model server may repeat the one that it was sent. */
function withoutQuotedTexts(text: string): string {
  return text
    .replace(/Unexpected token .*? is not valid JSON/gs, 'Unexpected token: not valid JSON')
    .replace(/ The server said: .*/g, '');
}
