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

/** Takes a message that is no event out of the log, once it is in a file. */
export function removeMessageCommand(position: Position, { save: file }: { readonly save: string }): Promise<void> {
  const place = formatPosition(position);
  return runCommand(`The removal of ${place} did not finish.`, async () => {
    const path = resolve(process.env.INIT_CWD ?? '.', file);
    const save = (message: StoredMessage) => writeFile(path, toJson(message), { flag: 'wx', mode: 0o600 });
    await withRunningSystem(({ removeForeign }) => removeForeign(position, save));
    return (
      `${place} is in ${path}, and not in the log any more. What waited for it continues within a minute; retry the dead ` +
      'letters of later events then, if there are any.'
    );
  });
}

function toJson({ stream, sequence, subject, headers, data }: StoredMessage): string {
  const named = [...(headers ?? [])].map(([name, values]) => [name, values.join(', ')] as const);
  const dataBase64 = Buffer.from(data).toString('base64');
  const saved = { stream, sequence, subject, headers: Object.fromEntries(named), dataBase64 };
  return `${JSON.stringify(saved, null, 2)}\n`;
}
