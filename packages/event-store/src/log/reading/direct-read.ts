import { createInbox, type Msg, type NatsConnection } from '@nats-io/nats-core';
import { EventLogUnavailableError, SilentServerError } from '../../errors.ts';
import type { StoredMessage } from '../log.ts';

/** Which messages to read: those of `subject` (wildcards allowed) from sequence `from` on, `limit` at most. */
export interface DirectQuery {
  readonly stream: string;
  readonly subject: string;
  readonly from: number;
  readonly limit: number;
  /** About how many bytes one answer may have; one message comes in any case. The server's own limit unless given. */
  readonly maxBytes?: number;
  /** The longest silence of the server, in milliseconds. */
  readonly timeoutMs: number;
}

export interface DirectPage {
  readonly messages: readonly StoredMessage[];
  /** How many messages are left after these. */
  readonly left: number;
}

/**
 * Reads a page straight from one replica, without a consumer.
 *
 * This is done by hand because the client's own iterator never gives its subscription back, and waits for ever
 * when the server goes away in the middle.
 * @throws EventLogUnavailableError when no replica answers in time, or messages were lost on their way: a client that connects
 * again in the middle gets the rest of a page without them.
 */
export function readDirect(connection: NatsConnection, query: DirectQuery): Promise<DirectPage> {
  return new Promise((resolve, reject) => {
    const messages: StoredMessage[] = [];
    const fail = (reason: string, cause?: unknown) =>
      end(() => reject(new EventLogUnavailableError(`The event log ${query.stream} ${reason}`, { cause })));
    const inbox = createInbox();
    const subscription = connection.subscribe(inbox, {
      callback: (error, message) => {
        timer.refresh();
        if (error) return fail('closed the subscription', error);
        const status = message.headers?.code ?? 0;
        if (status === 404) return end(() => resolve({ messages, left: 0 }));
        if (status !== 0 && status !== 204)
          return fail(status === 503 ? 'does not answer' : `refused to read: ${message.headers?.description}`);
        if (sentBefore(message) !== (messages.at(-1)?.sequence ?? 0)) return fail('sent messages that were lost');
        if (status === 0) messages.push(toStored(message));
        else end(() => resolve({ messages, left: Number(message.headers?.get('Nats-Num-Pending')) }));
      },
    });
    const silence = `The event log ${query.stream} was silent for ${query.timeoutMs} ms`;
    const timer = setTimeout(() => end(() => reject(new SilentServerError(silence))), query.timeoutMs);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      subscription.unsubscribe();
      settle();
    };
    const size = query.maxBytes === undefined ? {} : { max_bytes: query.maxBytes };
    const request = { seq: query.from, batch: query.limit, next_by_subj: query.subject, ...size };
    connection.publish(`$JS.API.DIRECT.GET.${query.stream}`, JSON.stringify(request), { reply: inbox });
  });
}

/** The sequence of the message of the page that the server sent before this one; 0 for the first. */
function sentBefore({ headers }: Msg): number {
  return Number(headers?.last('Nats-Last-Sequence'));
}

function toStored(message: Msg): StoredMessage {
  const headers = message.headers;
  return {
    stream: headers?.last('Nats-Stream') ?? '',
    sequence: Number(headers?.last('Nats-Sequence')),
    subject: headers?.last('Nats-Subject') ?? '',
    headers,
    data: message.data,
  };
}
