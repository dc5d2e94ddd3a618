import { type DescribedError, describeError } from './describe-error.ts';
import { type Logger, withoutCredentials } from './logger.ts';

/**
 * Ends the process with code 1 on an error that nothing has caught, after it was logged and printed. Node.js would print all
 * fields of the error, and errors of clients carry what was to be written.
 * @param logger writes a line, because standard error may be lost; a program without a log has none
 */
export function endOnUncaughtErrors(logger?: Pick<Logger, 'fatal'>): void {
  // It gets rejections that nothing handles, too.
  process.on('uncaughtException', (error) => {
    try {
      logger?.fatal({ err: error }, 'Ending on an uncaught error');
    } finally {
      printAndEnd(error);
    }
  });
}

/** Prints an unexpected error to standard error, with as much as the log says of errors, and ends the process with code 1. */
export function printAndEnd(error: unknown): never {
  try {
    const text = textOf(describeError(error));
    process.stderr.write(`${withoutCredentials(error instanceof Error ? text : `Uncaught ${text}`)}\n`);
  } finally {
    // Whatever was thrown before this would change the exit code.
    process.exit(1);
  }
}

function textOf(described: unknown): string {
  if (typeof described !== 'object') return String(described);
  const { type, message, stack = `${type}: ${message}`, cause, errors = [], ...codes } = described as DescribedError;
  return [
    stack,
    ...Object.entries(codes).map(([name, code]) => indented(`${name}: ${code}`)),
    ...errors.map((error, index) => indented(`Error ${index + 1}: ${textOf(error)}`)),
    ...(cause === undefined ? [] : [`Caused by: ${textOf(cause)}`]),
  ].join('\n');
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
