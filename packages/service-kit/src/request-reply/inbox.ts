import { createInbox, type Msg, type NatsConnection, type Subscription } from '@nats-io/nats-core';
import { headerNames } from './headers.ts';
import { PartCredits, type Transfer } from './part-credits.ts';
import { type PartNumber, partNumber, ReplyParts } from './parts.ts';

/**
 * The time without the next part, or without a heartbeat where there are heartbeats, of which two in a row mean that a
 * reply is broken off. In milliseconds.
 */
export const stallPeriodMs = 5_000;

/** The whole reply, joined from its parts, with the headers of the last one. */
export interface Reply {
  readonly data: Uint8Array;
  readonly headers: Msg['headers'];
}

/** No service listens on the subject of a request. */
export class NoResponderError extends Error {
  override readonly name = 'NoResponderError';
}

/** The reply did not arrive before the deadline of the caller. */
export class ReplyTimeoutError extends Error {
  override readonly name = 'ReplyTimeoutError';
}

/** The connection was lost while a request was under way: whether it was carried out is unknown. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/** There is no connection, so that the request was not sent. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
}

export type Heartbeats = 'from-start' | 'once-begun';

interface OpenOptions {
  readonly signal?: AbortSignal | undefined;
  readonly heartbeats?: Heartbeats | undefined;
}

interface Pulse {
  isExpected: boolean;
  readonly watch: StallWatch;
}

interface Waiting {
  readonly parts: ReplyParts;
  /** Where heartbeats were asked for. */
  readonly pulse?: Pulse;
  /** Set once the reply was announced as one of several parts. */
  incoming?: { readonly transfer: Transfer; readonly watch: StallWatch };
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/**
 * One subscription for the replies to all requests of a connection. The NATS client's own `request` ends with the first
 * message, but a reply of ours may consist of several.
 */
export class ReplyInbox {
  readonly #prefix = createInbox();
  readonly #waiting = new Map<string, Waiting>();
  readonly #subscription: Subscription;
  readonly #credits: PartCredits;
  readonly #periodMs: number;
  #next = 0;

  /** @param periodMs a reply that is silent for two periods of this length counts as broken off, in milliseconds */
  constructor(connection: NatsConnection, periodMs: number = stallPeriodMs) {
    this.#periodMs = periodMs;
    this.#credits = new PartCredits((subject, parts) => {
      if (!connection.isClosed() && !connection.isDraining()) connection.publish(subject, String(parts));
    });
    this.#subscription = connection.subscribe(`${this.#prefix}.*`, {
      callback: (error, message) => (error ? this.rejectAll(error) : this.#receive(message)),
    });
  }

  /**
   * Reserves a reply subject. The promise rejects with one of the errors above.
   * @param heartbeats whether the service was asked to say that it works on the request; `from-start`: it is gone when it
   * never does
   */
  open(timeoutMs: number, { signal, heartbeats }: OpenOptions): { subject: string; reply: Promise<Reply> } {
    this.#next += 1;
    const subject = `${this.#prefix}.${this.#next.toString(36)}`;
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const timer = setTimeout(() => reject(new ReplyTimeoutError('No reply in time')), timeoutMs);
    const onAbort = () => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const onSilence = () => reject(new ConnectionLostError('The service that handled the request stopped responding'));
    const pulse = heartbeats && this.#watchHeartbeats(heartbeats, onSilence);
    const waiting: Waiting = { parts: new ReplyParts(), resolve, reject, ...(pulse && { pulse }) };
    this.#waiting.set(subject, waiting);
    const reply = promise.finally(() => {
      clearTimeout(timer);
      pulse?.watch.stop();
      signal?.removeEventListener('abort', onAbort);
      this.#waiting.delete(subject);
      this.#endTransfer(waiting);
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
    waiting.pulse?.watch.progress();
    if (message.headers?.has(headerNames.heartbeat)) {
      if (waiting.pulse) waiting.pulse.isExpected = true;
      return;
    }
    try {
      const data = this.#take(message, waiting);
      if (data) waiting.resolve({ data, headers: message.headers });
    } catch (error) {
      waiting.reject(error as Error);
    }
  }

  /** @returns the whole reply once it is complete */
  #take(message: Msg, waiting: Waiting): Uint8Array | undefined {
    const part = partNumber(message);
    if (!part) return message.data;
    if (part.index === 0) {
      this.#beginTransfer(message, part, waiting);
      return undefined;
    }
    const data = waiting.parts.add(part, message.data);
    if (waiting.incoming) {
      waiting.incoming.watch.progress();
      this.#credits.received(waiting.incoming.transfer);
    }
    return data;
  }

  #watchHeartbeats(heartbeats: Heartbeats, onSilence: () => void): Pulse {
    const watch = new StallWatch(this.#periodMs, () => pulse.isExpected, onSilence);
    const pulse: Pulse = { isExpected: heartbeats === 'from-start', watch };
    return pulse;
  }

  #beginTransfer(message: Msg, { count }: PartNumber, waiting: Waiting): void {
    if (!message.reply || waiting.incoming)
      throw new Error('A reply in parts was announced without its sender, or twice');
    const transfer = this.#credits.begin(message.reply, count);
    const isExpected = () => transfer.inFlight > 0;
    const onStall = () => waiting.reject(new ConnectionLostError('The rest of a reply did not come'));
    waiting.incoming = { transfer, watch: new StallWatch(this.#periodMs, isExpected, onStall) };
  }

  #endTransfer({ incoming }: Waiting): void {
    if (!incoming) return;
    incoming.watch.stop();
    this.#credits.end(incoming.transfer);
  }
}

/** Notices when what is expected of a sender stops coming, for example because it was killed. */
class StallWatch {
  readonly #timer: NodeJS.Timeout;
  #silentPeriods = 0;

  /**
   * @param isExpected whether something was requested that has not arrived
   * @param onStall called when nothing has arrived for two whole periods
   */
  constructor(periodMs: number, isExpected: () => boolean, onStall: () => void) {
    this.#timer = setInterval(() => {
      if (!isExpected()) return this.progress();
      // Not the first one: something may have come at its beginning. Nor the second: messages that arrived while this
      // process was busy are read after the timers.
      if (this.#silentPeriods >= 2) onStall();
      this.#silentPeriods += 1;
    }, periodMs);
  }

  /** Something has arrived. */
  progress(): void {
    this.#silentPeriods = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
