import { messageOf } from '@mneme/service-kit';

/** Runs an operator's command to its end: what it says on standard output, a failure in one sentence, and an exit code. */
export async function runCommand(failure: string, command: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await command()}\n`);
  } catch (error) {
    process.stderr.write(`\n${failure} ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}
