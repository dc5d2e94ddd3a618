import { messageOf } from '@mneme/service-kit';

/**
 * Runs an operator's command to its end: what it says, if anything is left to say, on standard output, a failure in one sentence, and an exit code.
 * @param failure what the sentence begins with
 */
export async function runCommand(failure: string, command: () => Promise<string | undefined>): Promise<void> {
  try {
    const says = await command();
    if (says !== undefined) process.stdout.write(`${says}\n`);
  } catch (error) {
    process.stderr.write(`\n${failure} ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}
