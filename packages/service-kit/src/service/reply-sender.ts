import { WireError } from '@mneme/contracts';
import { createInbox, type Msg, type NatsConnection, type Subscription } from '@nats-io/nats-core';
import { timedOut } from '../errors/error-replies.ts';
import { takesCredits } from '../request-reply/headers.ts';
import {
  largestMessage,
  maxReplyBytes,
  partHeader,
  type ReplyPart,
  replyPartBytes,
  splitReply,
} from '../request-reply/parts.ts';

/** How long a receiver may take between two credits, in milliseconds; other replies may take their turn in between. */
const creditTimeoutMs = 30_000;

interface Outgoing {
  readonly to: string;
  readonly parts: readonly ReplyPart[];
  next: number;
  /** Whether a credit has arrived since the last check. */
  isAlive: boolean;
  done(): void;
}

/**
 * Sends replies. A large reply is announced, and its parts follow as its receiver requests them, so that a slow receiver
 * is never sent more than it can take and keeps its connection.
 */
export class ReplySender {
  readonly #connection: NatsConnection;
  readonly #prefix = createInbox();
  readonly #outgoing = new Map<string, Outgoing>();
  #credits: Subscription | undefined;
  #next = 0;

  constructor(connection: NatsConnection) {
    this.#connection = connection;
  }

  /**
   * Resolves when the whole reply was sent.
   * @param signal aborted when the caller stopped waiting
   * @throws WireError when the reply is too large, or its receiver stopped requesting parts; the signal's reason
   */
  async send(request: Msg, data: Uint8Array, signal: AbortSignal): Promise<void> {
    const to = request.reply;
    if (!to) return;
    if (data.length > maxReplyBytes) throw replyTooLarge(data.length);
    const largest = largestMessage(this.#connection.info?.max_payload);
    if (!takesCredits(request.headers)) return this.#sendAll(to, splitReply(data, largest));
    const parts = splitReply(data, Math.min(replyPartBytes, largest));
    if (parts.length === 1) return this.#sendAll(to, parts);
    await this.#sendOnCredit(to, parts, signal);
  }

  /** Takes no more credits; replies that are being sent are cut off. */
  close(): void {
    this.#credits?.unsubscribe();
  }

  /** For callers of earlier releases, and for tools. */
  #sendAll(to: string, parts: readonly ReplyPart[]): void {
    for (const part of parts) this.#publish(to, part);
  }

  async #sendOnCredit(to: string, parts: readonly ReplyPart[], signal: AbortSignal): Promise<void> {
    this.#listenForCredits();
    this.#next += 1;
    const subject = `${this.#prefix}.${this.#next.toString(36)}`;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const outgoing: Outgoing = { to, parts, next: 0, isAlive: true, done: resolve };
    const timer = setInterval(() => {
      if (!outgoing.isAlive) reject(timedOut('The receiver did not ask for the rest of the answer'));
      outgoing.isAlive = false;
    }, creditTimeoutMs);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#outgoing.set(subject, outgoing);
    try {
      signal.throwIfAborted();
      const headers = partHeader({ index: 0, count: parts.length });
      this.#connection.publish(to, '', { reply: subject, headers });
      await promise;
    } finally {
      clearInterval(timer);
      signal.removeEventListener('abort', onAbort);
      this.#outgoing.delete(subject);
    }
  }

  #listenForCredits(): void {
    this.#credits ??= this.#connection.subscribe(`${this.#prefix}.*`, {
      callback: (error, message) => {
        const outgoing = error ? undefined : this.#outgoing.get(message.subject);
        if (outgoing) this.#sendNext(outgoing, Number(message.string()));
      },
    });
  }

  #sendNext(outgoing: Outgoing, credits: number): void {
    outgoing.isAlive = true;
    const end = Math.min(outgoing.parts.length, outgoing.next + credits);
    for (; outgoing.next < end; outgoing.next += 1) {
      const part = outgoing.parts[outgoing.next];
      if (part) this.#publish(outgoing.to, part);
    }
    if (outgoing.next === outgoing.parts.length) outgoing.done();
  }

  #publish(to: string, { data, headers }: ReplyPart): void {
    this.#connection.publish(to, data, headers && { headers });
  }
}

/** The cause is logged, because an endpoint that makes such replies has to be changed. */
function replyTooLarge(bytes: number): WireError {
  const message = `The answer is larger than ${maxReplyBytes / (1_024 * 1_024)} MiB; ask for less at once`;
  const cause = new Error(`A reply has ${bytes} bytes, ${maxReplyBytes} are the most`);
  return new WireError({ status: 500, code: 'INTERNAL_ERROR', message }, { cause });
}
