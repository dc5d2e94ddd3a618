import { setTimeout as pause } from 'node:timers/promises';
import { nuid } from '@nats-io/nats-core';
import { ConflictError, EventLogUnavailableError } from '../../errors.ts';
import { eventIdOf } from '../decode.ts';
import type { EncodedEvent } from '../encode.ts';
import { answerTimeoutMs, type Log } from '../log.ts';
import { nextFromLeader } from '../reading/leader-read.ts';
import { readPages } from '../reading/load.ts';
import { type PublishOutcome, publish } from './publish.ts';

const firstPauseMs = 20;
const longestPauseMs = 500;

/** Events to write to one subject. */
export interface Append {
  readonly subject: string;
  readonly events: readonly EncodedEvent[];
  readonly expected: number | 'any';
}

/** What stands in the log where our events should be. */
type Standing = { readonly kind: 'ours'; readonly sequence: number } | { readonly kind: 'others' | 'nothing' };

/**
 * Writes events and does not return before their fate is known, or the time is up.
 *
 * An answer can get lost after the server has written. Every attempt carries the same event ids, so a further attempt
 * writes nothing twice; whenever the server refuses it, the log itself is asked whether our events stand there.
 * @returns the sequence of the last event.
 */
export async function appendMessages(log: Log, append: Append): Promise<number> {
  const deadline = performance.now() + log.timeoutMs;
  let mayBeWritten = false;
  for (let attempt = 1; ; attempt += 1) {
    await beforeAttempt(log, mayBeWritten);
    const remainingMs = deadline - performance.now();
    const outcome = await attemptOnce(log, append, Math.min(answerTimeoutMs, Math.max(remainingMs, 1)));
    if (outcome.kind === 'stored') return outcome.sequence;
    mayBeWritten ||= outcome.kind === 'unknown' || outcome.kind === 'duplicate';
    const settled = await settle(log, append, outcome, mayBeWritten);
    if (settled !== undefined) return settled;
    const pauseMs = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs);
    if (performance.now() + pauseMs > deadline) throw unavailable(log, outcome.error, mayBeWritten);
    await pause(pauseMs);
  }
}

/** @throws EventLogUnavailableError when the connection is lost and does not return soon; nothing more is sent then. */
async function beforeAttempt(log: Log, mayBeWritten: boolean): Promise<void> {
  try {
    await log.watch?.untilUp();
  } catch (error) {
    throw unavailable(log, error as Error, mayBeWritten);
  }
}

function attemptOnce(log: Log, { subject, events, expected }: Append, timeoutMs: number): Promise<PublishOutcome> {
  return publish({
    connection: log.connection,
    watch: log.watch,
    subject,
    events,
    expected: expected === 'any' ? undefined : expected,
    batchId: nuid.next(),
    timeoutMs,
  });
}

/** Decides about an attempt that was not confirmed: the sequence when it is written, a ConflictError, or undefined to try again. */
async function settle(
  log: Log,
  append: Append,
  outcome: Exclude<PublishOutcome, { kind: 'stored' }>,
  mayBeWritten: boolean,
): Promise<number | undefined> {
  if (outcome.kind === 'not-written' && !mayBeWritten) return undefined;
  // Sent again, a single event is recognised by the server; a subject may be too long to be searched for it.
  if (append.expected === 'any' && outcome.kind !== 'duplicate') return undefined;
  let standing: Standing;
  try {
    standing = await look(log, append);
  } catch (error) {
    if (error instanceof EventLogUnavailableError) return undefined;
    throw error;
  }
  if (standing.kind === 'ours') return standing.sequence;
  // With nothing there yet, a conflict may be with our own earlier attempt that a replicated stream has not applied yet.
  const isDecided = standing.kind === 'others' || !mayBeWritten;
  if (outcome.kind === 'conflict' && append.expected !== 'any' && isDecided) {
    throw new ConflictError(append.subject, append.expected, { cause: outcome.error });
  }
  return undefined;
}

function look(log: Log, append: Append): Promise<Standing> {
  return append.expected === 'any' ? searchSubject(log, append) : lookAfter(log, append, append.expected);
}

/** With an expectation, our events can only stand right after it; the leader is asked, since replicas may lag. */
async function lookAfter(log: Log, { subject, events }: Append, expected: number): Promise<Standing> {
  const message = await nextFromLeader(log, subject, expected + 1);
  if (!message) return { kind: 'nothing' };
  if (eventIdOf(message) !== events[0]?.id) return { kind: 'others' };
  // A batch is written without gaps, so its last event's sequence follows from its first one's.
  return { kind: 'ours', sequence: message.sequence + events.length - 1 };
}

async function searchSubject(log: Log, { subject, events }: Append): Promise<Standing> {
  const id = events.at(-1)?.id;
  let found: number | undefined;
  // However long the subject is, only one page of it is in memory.
  for await (const page of readPages(log, { subject, from: 1, maxBytes: Number.POSITIVE_INFINITY })) {
    found = page.findLast((message) => eventIdOf(message) === id)?.sequence ?? found;
  }
  return found === undefined ? { kind: 'nothing' } : { kind: 'ours', sequence: found };
}

function unavailable(log: Log, cause: Error, mayBeWritten: boolean): EventLogUnavailableError {
  const message = `The event log ${log.stream} did not take the events: ${cause.message}`;
  return new EventLogUnavailableError(message, { cause, mayBeWritten });
}
