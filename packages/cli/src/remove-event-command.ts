import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  accessEvents,
  accessStream,
  type EventCatalog,
  memoryEvents,
  memoryStream,
  webhookEvents,
  webhookStream,
} from '@mneme/contracts';
import { formatPosition, type Position, parsePosition, type StoredMessage } from '@mneme/event-store';
import { InvalidArgumentError } from 'commander';
import { runCommand } from './run-command.ts';
import { withRunningSystem } from './running-system.ts';

const catalogs: ReadonlyMap<string, EventCatalog> = new Map<string, EventCatalog>([
  [memoryStream.name, memoryEvents],
  [accessStream.name, accessEvents],
  [webhookStream.name, webhookEvents],
]);

/** Reads the position of an event in one of the streams of the log. */
export function parseEventPosition(text: string): Position {
  const position = parsePosition(text);
  if (position && position.sequence > 0 && catalogs.has(position.stream)) return position;
  throw new InvalidArgumentError(`Use the stream and the sequence of an event, such as ${accessStream.name}:42.`);
}

/** Takes an event that no release can read out of the log, once it is in a file. */
export function removeEventCommand(position: Position, { save: file }: { readonly save: string }): Promise<void> {
  return runCommand(`${formatPosition(position)} stays as it is.`, () =>
    withRunningSystem(async ({ removeUnreadable }) => {
      const path = resolve(process.env.INIT_CWD ?? '.', file);
      const catalog = catalogs.get(position.stream) as EventCatalog;
      const save = (message: StoredMessage, reason: string) => writeFile(path, toJson(message, reason), { flag: 'wx' });
      await removeUnreadable(position, { catalog, save });
      return (
        `${formatPosition(position)} is in ${path}, and not in the log any more. What waited for it continues within a ` +
        'minute; dead letters of later events can be retried then.'
      );
    }),
  );
}

function toJson({ stream, sequence, subject, headers, data }: StoredMessage, reason: string): string {
  const named = [...(headers ?? [])].map(([name, values]) => [name, values.join(', ')] as const);
  const saved = {
    stream,
    sequence,
    subject,
    reason,
    headers: Object.fromEntries(named),
    dataBase64: Buffer.from(data).toString('base64'),
  };
  return `${JSON.stringify(saved, null, 2)}\n`;
}
