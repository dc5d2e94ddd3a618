import { accessStream, memoryStream, webhookStream } from '@mneme/contracts';
import type { NatsConnection } from '@nats-io/nats-core';
import { StreamUnfitError } from '../errors.ts';
import { ensureStream, type StreamOptions, streamExists } from './ensure-stream.ts';
import { openLog } from './log.ts';
import { lastSequence } from './reading/leader-read.ts';

/** What users' events match. A start may write a setting into an empty log, which does not. */
const eventSubjects = { [memoryStream.name]: 'memory.*.*.>', [accessStream.name]: '>', [webhookStream.name]: '>' };

/**
 * Makes streams of the event log where they are not there yet. One that is missing while others have events was lost: with an
 * empty one in its place ids would be given out a second time, and what is derived from it would be emptied.
 * @throws StreamUnfitError then
 * @throws what `ensureStream` does
 */
export async function ensureEventLog(
  connection: NatsConnection,
  streams: readonly Omit<StreamOptions, 'replicas'>[],
  replicas: number,
): Promise<void> {
  for (const stream of streams) {
    if (!(await streamExists(connection, stream.name))) await assertWasNever(connection, stream);
    await ensureStream(connection, { ...stream, replicas });
  }
}

async function assertWasNever(
  connection: NatsConnection,
  { name, subjects }: Pick<StreamOptions, 'name' | 'subjects'>,
): Promise<void> {
  for (const [other, events] of Object.entries(eventSubjects)) {
    if (other === name || !(await streamExists(connection, other))) continue;
    if ((await lastSequence(openLog(connection, other), events)) === 0) continue;
    throw new StreamUnfitError(
      `The stream ${name} of the event log is missing, while ${other} has events: if the log of NATS names it, NATS could ` +
        'not read its files, which are still there (docs/operating/unreadable-streams.md). If it does not, restore it from ' +
        'the backup (docs/backup.md), or, to begin anew without what it had, make an empty one: ' +
        `nats stream add ${name} --subjects="${subjects.join(',')}" --storage=file --defaults`,
    );
  }
}
