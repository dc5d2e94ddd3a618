import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent } from '@mneme/contracts';
import { FencedError, UnreadableEventError } from '../errors.ts';
import { decodeEvent, typeOf } from '../log/decode.ts';
import type { StoredMessage } from '../log/stored-message.ts';
import { park } from '../parked/park.ts';
import type { Recorded } from '../recorded.ts';
import { announceCommit } from './commits.ts';
import { createGapSearch } from './gap-search.ts';
import type { ProjectionOptions } from './projection-options.ts';
import type { ProjectionRun } from './projection-run.ts';
import { takeBatch } from './take-batch.ts';

const firstRetryMs = 100;
const longestRetryMs = 15_000;

/** Applies what the feed brings, until the projection is stopped. */
export async function keepApplying<E extends DomainEvent>(run: ProjectionRun<E>): Promise<void> {
  const findGap = createGapSearch(run);
  while (!run.feed.hasEnded()) {
    const messages = await takeBatch(run);
    const last = messages.at(-1)?.sequence ?? (await findGap());
    if (last !== undefined) await applyUntilDone(run, messages, last);
  }
}

/** Applies one batch, however often that takes; gives it up only when another projector has moved the checkpoint. */
async function applyUntilDone<E extends DomainEvent>(
  run: ProjectionRun<E>,
  messages: readonly StoredMessage[],
  to: number,
): Promise<void> {
  for (let attempt = 0; !run.stopping.signal.aborted; attempt += 1) {
    try {
      await applyOnce(run, messages, to);
      run.isFailing = false;
      return;
    } catch (error) {
      if (error instanceof FencedError && (await followTheOther(run))) return;
      await waitAfter(run, error, attempt);
    }
  }
}

async function applyOnce<E extends DomainEvent>(
  { options, name, tracker }: ProjectionRun<E>,
  messages: readonly StoredMessage[],
  to: number,
): Promise<void> {
  const events = await readEvents(options, name, messages);
  await options.projection.apply(events, { from: tracker.position(), to });
  tracker.moveTo(to);
  announceCommit(options.connection, options.projection, to);
}

/** Only what the projection uses is parsed; what cannot be read is parked and passed over. */
async function readEvents<E extends DomainEvent>(
  { connection, catalog, projection, logger }: ProjectionOptions<E>,
  name: string,
  messages: readonly StoredMessage[],
): Promise<Recorded<E>[]> {
  const events: Recorded<E>[] = [];
  for (const message of messages) {
    const type = typeOf(message);
    if (type !== undefined && projection.types && !projection.types.includes(type)) continue;
    try {
      events.push(decodeEvent(catalog, message));
    } catch (error) {
      if (!(error instanceof UnreadableEventError)) throw error;
      await park(connection, message, { by: name, reason: error.reason });
      logger.error({ err: error, projection: name }, 'Parked an unreadable event');
    }
  }
  return events;
}

/** Takes over the position that another projector has reached; false when it cannot be read or has not moved. */
async function followTheOther<E extends DomainEvent>(run: ProjectionRun<E>): Promise<boolean> {
  const position = await run.options.projection.readPosition().catch(() => run.tracker.position());
  if (position === run.tracker.position()) return false;
  run.options.logger.warn({ projection: run.name, position }, 'Another projector has moved the checkpoint');
  run.tracker.moveTo(position);
  run.feed.seek(position);
  return true;
}

async function waitAfter<E extends DomainEvent>(run: ProjectionRun<E>, error: unknown, attempt: number): Promise<void> {
  run.isFailing = true;
  const waitMs = Math.min(firstRetryMs * 2 ** attempt, longestRetryMs);
  run.options.logger.error({ err: error, projection: run.name, waitMs }, 'A read model could not be written');
  await pause(waitMs, undefined, { signal: run.stopping.signal }).catch(() => undefined);
}
