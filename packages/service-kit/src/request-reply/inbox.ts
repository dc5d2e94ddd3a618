import { createInbox, type Msg, type NatsConnection, type Subscription } from '@nats-io/nats-core';
import { ReplyParts } from './parts.ts';

/** The whole reply, joined from its parts, with the headers of the last one. */
export interface Reply {
  readonly data: Uint8Array;
  readonly headers: Msg['headers'];
}

/** Nobody listens on the subject of a request. */
export class NoResponderError extends Error {
  override readonly name = 'NoResponderError';
}

/** The reply did not come within the time that the caller gave. */
export class ReplyTimeoutError extends Error {
  override readonly name = 'ReplyTimeoutError';
}

/** The connection was lost while a request was on its way: whether it was carried out is not known. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

interface Waiting {
  readonly parts: ReplyParts;
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/**
 * One subscription for the replies to all requests of a connection.
 * The client's own `request` ends at the first message, and a reply of ours may have several.
 */
export class ReplyInbox {
  readonly #prefix = createInbox();
  readonly #waiting = new Map<string, Waiting>();
  readonly #subscription: Subscription;
  #next = 0;

  constructor(connection: NatsConnection) {
    this.#subscription = connection.subscribe(`${this.#prefix}.*`, {
      callback: (error, message) => (error ? this.rejectAll(error) : this.#receive(message)),
    });
  }

  /** Reserves a reply subject. The promise rejects with one of the errors above. */
  open(timeoutMs: number, signal?: AbortSignal): { subject: string; reply: Promise<Reply> } {
    this.#next += 1;
    const subject = `${this.#prefix}.${this.#next.toString(36)}`;
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const timer = setTimeout(() => reject(new ReplyTimeoutError('No reply in time')), timeoutMs);
    const onAbort = () => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.set(subject, { parts: new ReplyParts(), resolve, reject });
    const reply = promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#waiting.delete(subject);
    });
    return { subject, reply };
  }

  /** Ends every request that waits for a reply with `error`. */
  rejectAll(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
  }

  close(): void {
    this.#subscription.unsubscribe();
    this.rejectAll(new ConnectionLostError('The client was closed'));
  }

  #receive(message: Msg): void {
    const waiting = this.#waiting.get(message.subject);
    if (!waiting) return;
    if (message.data.length === 0 && message.headers?.code === 503) {
      waiting.reject(new NoResponderError(message.subject));
      return;
    }
    try {
      const data = waiting.parts.add(message);
      if (data) waiting.resolve({ data, headers: message.headers });
    } catch (error) {
      waiting.reject(error as Error);
    }
  }
}
