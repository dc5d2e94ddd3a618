import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { accessStream, memoryStream, webhookStream } from '@mneme/contracts';
import { formatPosition, type Position, parsePosition, type StoredMessage } from '@mneme/event-store';
import { InvalidArgumentError } from 'commander';
import { runCommand } from './run-command.ts';
import { withRunningSystem } from './running-system.ts';

const streams: readonly string[] = [memoryStream.name, webhookStream.name, accessStream.name];

/** Reads the position of a message in one of the streams of the log. */
export function parseLogPosition(text: string): Position {
  const position = parsePosition(text);
  if (position && position.sequence > 0 && streams.includes(position.stream)) return position;
  throw new InvalidArgumentError(`Use the stream and the sequence of a message, such as ${accessStream.name}:42.`);
}

/** Takes a message that is no event out of the log, once it is in a file, or on standard output for the file `-`. */
export function removeMessageCommand(position: Position, { save: file }: { readonly save: string }): Promise<void> {
  const place = formatPosition(position);
  return runCommand(`The removal of ${place} did not finish.`, async () => {
    const save = (message: StoredMessage) => (file === '-' ? print(toJson(message)) : write(file, toJson(message)));
    await withRunningSystem(({ removeForeign }) => removeForeign(position, save));
    // Standard output has the message itself.
    process.stderr.write(
      `${place} is saved, and not in the log any more. What waited for it continues within a minute; retry the dead ` +
        'letters of later events then, if there are any.\n',
    );
    return undefined;
  });
}

async function print(text: string): Promise<void> {
  const { promise, resolve: done, reject } = Promise.withResolvers<void>();
  process.stdout.write(text, (error) => (error ? reject(error) : done()));
  await promise;
}

async function write(file: string, text: string): Promise<void> {
  await writeFile(resolve(process.env.INIT_CWD ?? '.', file), text, { flag: 'wx', mode: 0o600 });
}

function toJson({ stream, sequence, subject, headers, data }: StoredMessage): string {
  const named = [...(headers ?? [])].map(([name, values]) => [name, values.join(', ')] as const);
  const dataBase64 = Buffer.from(data).toString('base64');
  const saved = { stream, sequence, subject, headers: Object.fromEntries(named), dataBase64 };
  return `${JSON.stringify(saved, null, 2)}\n`;
}
