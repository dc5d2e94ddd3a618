import { messageOf } from '@mneme/service-kit';

/**
 * Runs an operator's command to its end: what it says on standard output, a failure in one sentence, and an exit code.
 * @param failure what the sentence begins with
 */
export async function runCommand(
  failure: string | ((error: unknown) => string),
  command: () => Promise<string>,
): Promise<void> {
  try {
    process.stdout.write(`${await command()}\n`);
  } catch (error) {
    const beginning = typeof failure === 'string' ? failure : failure(error);
    process.stderr.write(`\n${beginning} ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}
