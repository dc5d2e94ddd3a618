import { type Channel, channel } from 'node:diagnostics_channel';

/**
 * Something that libraries measure and the process counts, see docs/decisions/0038-measure-through-diagnostics-channels.md.
 * Without a subscriber it costs nothing.
 */
export class Measurement<T extends object> {
  readonly #channel: Channel;

  constructor(name: string) {
    this.#channel = channel(`mneme.${name}`);
  }

  publish(value: T): void {
    if (this.#channel.hasSubscribers) this.#channel.publish(value);
  }

  /** Listens for as long as the process lives. @param listener must not throw */
  subscribe(listener: (value: T) => void): void {
    this.#channel.subscribe((value) => listener(value as T));
  }
}

/** One attempt to append events. */
export interface EventsAppended {
  /** The service that appended them. */
  readonly service: string;
  readonly stream: string;
  readonly types: readonly string[];
  /** `conflict` if the aggregate had changed meanwhile. */
  readonly outcome: 'appended' | 'conflict' | 'failed';
  /** Whether it has failed since the log did not take the events, whatever they are. */
  readonly isAway: boolean;
  readonly seconds: number;
}

/** One try of a handler with an event. */
export interface Handled {
  readonly handler: string;
  readonly outcome: 'done' | 'retried' | 'given-up' | 'handed-back';
  readonly seconds: number;
}

export interface WrittenDeadLetter {
  /** The handler, or the read model without its version. */
  readonly reader: string;
  readonly stream: string;
}

/** One request to a model server, retries counted each. */
export interface ModelRequest {
  /** `<provider>:<model>` */
  readonly model: string;
  /** `ok`, or the code of a `ModelError`. */
  readonly outcome: string;
  readonly seconds: number;
}

export interface QdrantRequest {
  readonly operation: string;
  readonly outcome: 'ok' | 'failed';
  readonly seconds: number;
}

export const eventsAppended = new Measurement<EventsAppended>('events-appended');
export const handled = new Measurement<Handled>('handled');
export const wroteDeadLetter = new Measurement<WrittenDeadLetter>('wrote-dead-letter');
export const modelRequested = new Measurement<ModelRequest>('model-requested');
export const qdrantRequested = new Measurement<QdrantRequest>('qdrant-requested');
/** A client of NATS has connected, lost its server, found it again, or was closed. */
export const natsLinkChanged = new Measurement<{ readonly client: string; readonly state: 'up' | 'down' | 'closed' }>(
  'nats-link-changed',
);
/** A connection to MongoDB was opened (1) or closed (-1), or taken into use or given back. */
export const mongoConnectionsChanged = new Measurement<{ readonly state: 'open' | 'in_use'; readonly by: 1 | -1 }>(
  'mongo-connections-changed',
);
