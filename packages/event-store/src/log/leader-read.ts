import type { StoredMsg } from '@nats-io/jetstream';
import { type Log, reading, type StoredMessage } from './log.ts';

/** The sequence of the stream's last message, from its leader; 0 when there never was one. */
export function headOf(log: Log): Promise<number> {
  return reading(log, async () => (await (await log.manager()).streams.info(log.stream)).state.last_seq);
}

/** What tells one JetStream stream from another of the same name, and how far it reaches. */
export interface StreamState {
  /** When the stream was created, ISO 8601. */
  readonly createdAt: string;
  /** The sequence of the last message; 0 when there never was one. */
  readonly head: number;
}

/** Reads the state of the stream from its leader. */
export function streamState(log: Log): Promise<StreamState> {
  return reading(log, async () => {
    const { created, state } = await (await log.manager()).streams.info(log.stream);
    return { createdAt: String(created), head: state.last_seq };
  });
}

/** The message at a sequence, from the leader; undefined when there is none (any more). */
export function messageAt(log: Log, sequence: number): Promise<StoredMessage | undefined> {
  return reading(log, async () => {
    const found = await (await log.manager()).streams.getMessage(log.stream, { seq: sequence });
    return found ? toStored(log, found) : undefined;
  });
}

/** The sequence of the last message that matches, from the leader; 0 when there is none. */
export async function lastSequence(log: Log, subject: string): Promise<number> {
  return (await lastFromLeader(log, subject))?.seq ?? 0;
}

/** The last message that matches, from the leader; undefined when there is none. */
export async function lastMessage(log: Log, subject: string): Promise<StoredMessage | undefined> {
  const found = await lastFromLeader(log, subject);
  return found ? toStored(log, found) : undefined;
}

function toStored({ stream }: Log, { seq: sequence, subject, header: headers, data }: StoredMsg): StoredMessage {
  return { stream, sequence, subject, headers, data };
}

function lastFromLeader(log: Log, subject: string): Promise<StoredMsg | null> {
  const query = { last_by_subj: subject };
  return reading(log, async () => (await log.manager()).streams.getMessage(log.stream, query));
}

/** The sequence of the first message from `from` on that matches, from the leader; undefined when there is none. */
export async function nextSequence(log: Log, subject: string, from: number): Promise<number | undefined> {
  return (await nextFromLeader(log, subject, from))?.seq;
}

/** The first message from `from` on that matches, from the leader. */
export function nextFromLeader(log: Log, subject: string, from: number): Promise<StoredMsg | null> {
  const query = { seq: from, next_by_subj: subject };
  return reading(log, async () =>
    // The server takes this query from the leader as it does from replicas; the client's types know the latter only.
    (await log.manager()).streams.getMessage(log.stream, query as { seq: number }),
  );
}
