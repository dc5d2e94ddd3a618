import { GaugeSeries, type GaugeValue, type Logger, type Metrics, measureEvery } from '@mneme/service-kit';
import { type JetStreamManager, jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

const defaultEveryMs = 15_000;

export interface MeasureStreamsDeps {
  readonly connection: NatsConnection;
  readonly metrics: Pick<Metrics, 'gauge'>;
  readonly logger: Pick<Logger, 'debug'>;
  /** 15 s unless given, in milliseconds. */
  readonly everyMs?: number;
}

/** Measures what NATS stores from time to time: streams, those of buckets among them, and how much handlers have to do. */
export function measureStreams(deps: MeasureStreamsDeps): { stop(): void } {
  const { connection, metrics, logger, everyMs = defaultEveryMs } = deps;
  const gauges = createGauges(metrics);
  let isBusy = false;
  const measure = async () => {
    if (isBusy || connection.isClosed()) return;
    isBusy = true;
    try {
      const manager = await jetstreamManager(connection, { checkAPI: false });
      await measureAccount(manager, gauges);
      await measureAll(manager, gauges);
    } catch (error) {
      // That NATS is away is told by others.
      logger.debug({ err: error }, 'The streams could not be measured');
    } finally {
      isBusy = false;
    }
  };
  return { stop: measureEvery(everyMs, () => void measure()) };
}

type Gauges = ReturnType<typeof createGauges>;

function createGauges(metrics: Pick<Metrics, 'gauge'>) {
  const ofStream = (name: string, help: string) => new GaugeSeries(metrics, { name, help, labels: ['stream'] });
  return {
    messages: ofStream('mneme_stream_messages', 'Messages that a stream holds'),
    bytes: ofStream('mneme_stream_bytes', 'Bytes that a stream takes'),
    limit: ofStream('mneme_stream_limit_bytes', 'Bytes that a stream may take, if it has a limit'),
    lagging: ofStream('mneme_stream_lagging_replicas', 'Replicas of a stream that are offline or behind their leader'),
    pending: new GaugeSeries(metrics, {
      name: 'mneme_handler_pending_events',
      help: 'Events that a handler has not finished, in all its instances',
      labels: ['stream', 'handler'],
    }),
    storage: metrics.gauge({ name: 'mneme_jetstream_storage_bytes', help: 'Bytes that all streams take on disk' }),
    storageLimit: metrics.gauge({
      name: 'mneme_jetstream_storage_limit_bytes',
      help: 'Bytes that all streams may take on disk; 0 without a limit of the account',
    }),
  };
}

async function measureAccount(manager: JetStreamManager, { storage, storageLimit }: Gauges): Promise<void> {
  const { storage: bytes, limits } = await manager.getAccountInfo();
  storage.set(bytes);
  storageLimit.set(Math.max(0, limits.max_storage));
}

async function measureAll(manager: JetStreamManager, gauges: Gauges): Promise<void> {
  const streams: StreamInfo[] = [];
  const pending: GaugeValue[] = [];
  for await (const stream of manager.streams.list()) {
    streams.push(stream);
    if (stream.state.consumer_count > 0) pending.push(...(await pendingOf(manager, stream.config.name)));
  }
  const limited = streams.filter(({ config }) => config.max_bytes > 0);
  gauges.messages.set(valuesOf(streams, ({ state }) => state.messages));
  gauges.bytes.set(valuesOf(streams, ({ state }) => state.bytes));
  gauges.limit.set(valuesOf(limited, ({ config }) => config.max_bytes));
  gauges.lagging.set(valuesOf(streams, laggingReplicas));
  gauges.pending.set(pending);
}

function valuesOf(streams: readonly StreamInfo[], measure: (of: StreamInfo) => number): readonly GaugeValue[] {
  return streams.map((stream) => ({ labels: { stream: stream.config.name }, value: measure(stream) }));
}

function laggingReplicas({ cluster }: StreamInfo): number {
  return cluster?.replicas?.filter(({ offline, current }) => offline || !current).length ?? 0;
}

/** Of the handlers of a stream. */
async function pendingOf(manager: JetStreamManager, stream: string): Promise<readonly GaugeValue[]> {
  const values: GaugeValue[] = [];
  for await (const { config, num_pending, num_ack_pending } of manager.consumers.list(stream)) {
    // The others belong to readers, and are made anew all the time.
    const handler = config.durable_name;
    if (handler) values.push({ labels: { stream, handler }, value: num_pending + num_ack_pending });
  }
  return values;
}
