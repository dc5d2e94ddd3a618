import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

export interface LoggedEvent {
  readonly sequence: number;
  readonly subject: string;
  header(name: string): string;
}

/** Looks into the event log itself, beside the system under test. */
export interface EventLog {
  /** The sequence of its last event. */
  head(): Promise<number>;
  /** The events after a sequence. */
  after(sequence: number): Promise<LoggedEvent[]>;
  close(): Promise<void>;
}

const stream = 'MEMORY';

export async function openEventLog(natsUrl: string): Promise<EventLog> {
  const connection = await connect({ servers: natsUrl });
  const manager = await jetstreamManager(connection);
  const head = async () => (await manager.streams.info(stream)).state.last_seq;
  const read = async (seq: number): Promise<LoggedEvent> => {
    const message = await manager.streams.getMessage(stream, { seq });
    if (!message) throw new Error(`The log has no event ${seq}`);
    return { sequence: seq, subject: message.subject, header: (name) => message.header.get(name) };
  };
  return {
    head,
    after: async (sequence) => {
      const count = Math.max(0, (await head()) - sequence);
      return Promise.all(Array.from({ length: count }, (_, index) => read(sequence + 1 + index)));
    },
    close: () => connection.close(),
  };
}
