import { shownMessage } from '../errors/shown-message.ts';

/** An error as it is logged. */
export interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  /** What MongoDB calls the code. */
  readonly codeName?: string;
  readonly stack?: string;
  /** A `DescribedError`; of what is no error, the value, or `object`. */
  readonly cause?: unknown;
  /** Of one that stands for several, described like a cause. */
  readonly errors?: readonly unknown[];
}

/** Causes of causes beyond this are left out. */
const maxDepth = 5;
/** Of those that one error stands for, further ones are left out. */
const maxErrors = 5;

/**
 * What the log says of an error: its name, message, code, stack, causes, and the errors that it stands for. Other fields are
 * left out, because errors of clients carry what was to be written: that of a MongoDB bulk write has the documents.
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
    ...(depth < maxDepth && describeErrorsOf(error, depth)),
  };
}

/** Such as one error for each address of a name. They count as two levels, because each level multiplies them. */
function describeErrorsOf(error: Error, depth: number): Pick<DescribedError, 'errors'> {
  if (!(error instanceof AggregateError) || !Array.isArray(error.errors)) return {};
  return { errors: error.errors.slice(0, maxErrors).map((each) => describeError(each, depth + 2)) };
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
