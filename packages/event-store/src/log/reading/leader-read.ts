import { type Log, reading, type StoredMessage } from '../log.ts';
import { askLeader, type LeaderMessage } from './leader-message.ts';

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
export async function messageAt(log: Log, sequence: number): Promise<StoredMessage | undefined> {
  return toStored(log, await reading(log, () => askLeader(log, { seq: sequence })));
}

/** The sequence of the last message that matches, from the leader; 0 when there is none. */
export async function lastSequence(log: Log, subject: string): Promise<number> {
  return (await lastFromLeader(log, subject))?.sequence ?? 0;
}

/** The last message that matches, from the leader; undefined when there is none. */
export async function lastMessage(log: Log, subject: string): Promise<StoredMessage | undefined> {
  return toStored(log, await lastFromLeader(log, subject));
}

function toStored({ stream }: Log, found: LeaderMessage | undefined): StoredMessage | undefined {
  return found && { stream, ...found, data: found.data() };
}

/** The last message that matches, from the leader. */
export function lastFromLeader(log: Log, subject: string): Promise<LeaderMessage | undefined> {
  return reading(log, () => askLeader(log, { last_by_subj: subject }));
}

/** The sequence of the first message from `from` on that matches, from the leader; undefined when there is none. */
export async function nextSequence(log: Log, subject: string, from: number): Promise<number | undefined> {
  return (await nextFromLeader(log, subject, from))?.sequence;
}

/** The first message from `from` on that matches, from the leader; undefined when there is none. */
export async function nextMessage(log: Log, subject: string, from: number): Promise<StoredMessage | undefined> {
  return toStored(log, await nextFromLeader(log, subject, from));
}

/** The same, with its data left as the leader has sent them. */
export function nextFromLeader(log: Log, subject: string, from: number): Promise<LeaderMessage | undefined> {
  return reading(log, () => askLeader(log, { seq: from, next_by_subj: subject }));
}
