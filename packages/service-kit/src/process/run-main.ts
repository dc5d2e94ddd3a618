/**
 * Runs what a process starts with. When it cannot be had, the process ends with code 1 and the reason in one sentence;
 * a stack would tell an operator nothing about a missing server or a wrong variable.
 */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const isForOperators = error instanceof Error && operatorErrors.has(error.name);
    process.stderr.write(`${isForOperators ? error.message : describeUnexpectedError(error)}\n`);
    process.exit(1);
  }
}

/** Errors whose message says all that is to be done about them. */
const operatorErrors: ReadonlySet<string> = new Set([
  'ConfigError',
  'ListenError',
  'NatsUnreachableError',
  'StoreUnfitError',
  'StoreUnreachableError',
]);

function describeUnexpectedError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
