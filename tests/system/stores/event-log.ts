import { randomUUID } from 'node:crypto';
import { natsAddress } from '@mneme/service-kit';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers, type MsgHdrs } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';

export interface LoggedEvent {
  readonly sequence: number;
  readonly subject: string;
  header(name: string): string;
  data<T>(): T;
}

/** Looks into the event log itself, beside the system under test. */
export interface EventLog {
  /** The sequence of its last event. */
  head(): Promise<number>;
  /** The events after a sequence. */
  after(sequence: number): Promise<LoggedEvent[]>;
  /** Writes an event that no caller could bring about. */
  append(subject: string, type: string, data: unknown): Promise<void>;
  close(): Promise<void>;
}

/** @param stream the JetStream stream to look into */
export async function openEventLog(natsUrl: string, stream = 'MEMORY'): Promise<EventLog> {
  const connection = await connect(natsAddress(natsUrl));
  const manager = await jetstreamManager(connection);
  const head = async () => (await manager.streams.info(stream)).state.last_seq;
  const read = async (seq: number): Promise<LoggedEvent> => {
    const message = await manager.streams.getMessage(stream, { seq });
    if (!message) throw new Error(`The log has no event ${seq}`);
    const { subject, header } = message;
    return { sequence: seq, subject, header: (name) => header.get(name), data: () => message.json() };
  };
  return {
    head,
    after: async (sequence) => {
      const count = Math.max(0, (await head()) - sequence);
      return Promise.all(Array.from({ length: count }, (_, index) => read(sequence + 1 + index)));
    },
    append: async (subject, type, data) => {
      await jetstream(connection).publish(subject, JSON.stringify(data), {
        headers: envelopeOf(stream, subject, type),
      });
    },
    close: () => connection.close(),
  };
}

function envelopeOf(stream: string, subject: string, type: string): MsgHdrs {
  const envelope = headers();
  const fields = {
    'ce-specversion': '1.0',
    'ce-id': randomUUID(),
    'ce-type': type,
    'ce-source': 'tests',
    'ce-time': new Date().toISOString(),
    'ce-subject': subject,
    'ce-dataschema': `mneme:${stream}/${type}/v1`,
    'correlation-id': 'tests',
  };
  for (const [name, value] of Object.entries(fields)) envelope.set(name, value);
  return envelope;
}

/** Whether no consumer that is in use has events before it. A reader that has ended leaves its own to the server for minutes. */
export async function isAtRest(natsUrl: string): Promise<boolean> {
  const connection = await connect(natsAddress(natsUrl));
  try {
    const manager = await jetstreamManager(connection);
    for (const stream of ['MEMORY', 'ACCESS', 'WEBHOOKS']) {
      for await (const { config, num_waiting, num_pending, num_ack_pending } of manager.consumers.list(stream)) {
        const isUsed = config.durable_name !== undefined || num_waiting > 0;
        if (isUsed && (num_pending > 0 || num_ack_pending > 0)) return false;
      }
    }
    return true;
  } finally {
    await connection.close();
  }
}
