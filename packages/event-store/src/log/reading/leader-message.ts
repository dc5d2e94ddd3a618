import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/nats-core';
import { MsgHdrsImpl } from '@nats-io/nats-core/internal';
import { answerTimeoutMs, type Log } from '../log.ts';

/** A message as the leader of its stream sends it. */
export interface LeaderMessage {
  readonly subject: string;
  readonly sequence: number;
  readonly headers: MsgHdrs | undefined;
  /** When it was stored, in milliseconds since 1970, by the clock of the server. */
  readonly timeMs: number;
  /** About how many bytes the data has. */
  readonly bytes: number;
  /** Decodes the data, which few readers need. */
  readonly data: () => Uint8Array;
}

/** The message at a sequence, the last one of a subject, or the first one of a subject from a sequence on. */
export type LeaderQuery =
  | { readonly seq: number }
  | { readonly last_by_subj: string }
  | { readonly seq: number; readonly next_by_subj: string };

interface ApiResponse {
  readonly error?: { readonly code: number; readonly err_code: number; readonly description: string };
  readonly message?: { readonly subject: string; readonly seq: number; readonly time: string; readonly hdrs?: string };
}

/**
 * Asks the leader of a stream for a message; undefined when there is none (any more).
 *
 * This is done by hand because the client parses the whole response, in which a message of a megabyte stands as base64:
 * that blocks the event loop for 15 ms, where mostly nothing but the sequence is wanted.
 * @throws JetStreamApiError when the server refuses; errors of the connection
 */
export async function askLeader(log: Log, query: LeaderQuery): Promise<LeaderMessage | undefined> {
  const timeout = Math.min(answerTimeoutMs, log.timeoutMs);
  const request = JSON.stringify(query);
  const { data } = await log.connection.request(`$JS.API.STREAM.MSG.GET.${log.stream}`, request, { timeout });
  return readResponse(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
}

/** What precedes the data. It can stand nowhere else, since JSON escapes the double quotes within texts. */
const beforeData = ',"data":"';

function readResponse(response: Buffer): LeaderMessage | undefined {
  const start = response.indexOf(beforeData);
  const end = start < 0 ? -1 : response.indexOf('"', start + beforeData.length);
  const base64 = start < 0 ? response.subarray(0, 0) : response.subarray(start + beforeData.length, end);
  const rest = start < 0 ? `${response}` : `${response.subarray(0, start)}${response.subarray(end + 1)}`;
  const { error, message } = JSON.parse(rest) as ApiResponse;
  if (error?.err_code === JetStreamApiCodes.NoMessageFound) return undefined;
  if (error) throw new JetStreamApiError(error);
  if (!message) throw new Error('The server sent neither a message nor an error');
  return {
    subject: message.subject,
    sequence: message.seq,
    headers: message.hdrs === undefined ? undefined : MsgHdrsImpl.decode(Buffer.from(message.hdrs, 'base64')),
    timeMs: Date.parse(message.time),
    bytes: Math.floor((base64.length * 3) / 4),
    data: () => Buffer.from(base64.toString('latin1'), 'base64'),
  };
}
