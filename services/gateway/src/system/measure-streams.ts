import type { Logger, Metrics } from '@mneme/service-kit';
import { type ConsumerInfo, type JetStreamManager, jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

const everyMs = 15_000;

export interface MeasureStreamsDeps {
  readonly connection: NatsConnection;
  readonly metrics: Pick<Metrics, 'gauge'>;
  readonly logger: Pick<Logger, 'debug'>;
}

/** Measures what NATS stores from time to time: streams, those of buckets among them, and how much handlers have to do. */
export function measureStreams({ connection, metrics, logger }: MeasureStreamsDeps): { stop(): void } {
  const gauges = createGauges(metrics);
  let isBusy = false;
  const measure = async () => {
    if (isBusy || connection.isClosed()) return;
    isBusy = true;
    try {
      const manager = await jetstreamManager(connection, { checkAPI: false });
      await measureAccount(manager, gauges);
      for await (const stream of manager.streams.list()) await measureStream(manager, stream, gauges);
    } catch (error) {
      // That NATS is away is told by others.
      logger.debug({ err: error }, 'The streams could not be measured');
    } finally {
      isBusy = false;
    }
  };
  void measure();
  const timer = setInterval(() => void measure(), everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

type Gauges = ReturnType<typeof createGauges>;

function createGauges(metrics: Pick<Metrics, 'gauge'>) {
  const ofStream = (name: string, help: string) => metrics.gauge({ name, help, labels: ['stream'] });
  return {
    messages: ofStream('mneme_stream_messages', 'Messages that a stream holds'),
    bytes: ofStream('mneme_stream_bytes', 'Bytes that a stream takes'),
    limit: ofStream('mneme_stream_limit_bytes', 'Bytes that a stream may take, if it has a limit'),
    lagging: ofStream('mneme_stream_lagging_replicas', 'Replicas of a stream that are offline or behind their leader'),
    pending: metrics.gauge({
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

async function measureStream(manager: JetStreamManager, info: StreamInfo, gauges: Gauges): Promise<void> {
  const { config, state, cluster } = info;
  const stream = config.name;
  gauges.messages.set({ stream }, state.messages);
  gauges.bytes.set({ stream }, state.bytes);
  if (config.max_bytes > 0) gauges.limit.set({ stream }, config.max_bytes);
  const lagging = cluster?.replicas?.filter(({ offline, current }) => offline || !current) ?? [];
  gauges.lagging.set({ stream }, lagging.length);
  if (state.consumer_count === 0) return;
  for await (const consumer of manager.consumers.list(stream)) {
    // The others belong to readers, and are made anew all the time.
    const handler = consumer.config.durable_name;
    if (handler) gauges.pending.set({ stream, handler }, pendingOf(consumer));
  }
}

function pendingOf({ num_pending, num_ack_pending }: ConsumerInfo): number {
  return num_pending + num_ack_pending;
}
