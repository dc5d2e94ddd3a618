import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of one process. The same name always gives the same instrument, so services can share it. */
export interface Metrics {
  counter<L extends string>(options: InstrumentOptions<L>): Counter<L>;
  gauge<L extends string>(options: InstrumentOptions<L>): Gauge<L>;
  /** @param options.buckets upper bounds; seconds unless the name says otherwise */
  histogram<L extends string>(options: InstrumentOptions<L> & { buckets?: readonly number[] }): Histogram<L>;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

export interface InstrumentOptions<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly L[];
}

/** From half a millisecond to the longest synchronous request, in seconds. */
const durationBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 120];

/** Creates a registry that already has the metrics of the process itself (memory, CPU, event loop). */
export function createRegistry(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  measureEventLoop(registry);
  const settings = <L extends string>(options: InstrumentOptions<L>) => ({
    name: options.name,
    help: options.help,
    labelNames: options.labels ?? [],
    registers: [registry],
  });
  const existing = <T>(name: string) => registry.getSingleMetric(name) as T | undefined;
  return {
    counter: <L extends string>(options: InstrumentOptions<L>) =>
      existing<Counter<L>>(options.name) ?? new Counter<L>(settings(options)),
    gauge: <L extends string>(options: InstrumentOptions<L>) =>
      existing<Gauge<L>>(options.name) ?? new Gauge<L>(settings(options)),
    histogram: <L extends string>(options: InstrumentOptions<L> & { buckets?: readonly number[] }) =>
      existing<Histogram<L>>(options.name) ??
      new Histogram<L>({ ...settings(options), buckets: [...(options.buckets ?? durationBuckets)] }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Counts deliveries to event handlers of events that only a newer release knows. */
export function countUnknownTypes(metrics: Metrics): (type: string, handler: string) => void {
  const unknown = metrics.counter({
    name: 'mneme_handler_unknown_types_total',
    help: 'Deliveries of events of types that only a newer release knows; they wait for one',
    labels: ['handler', 'type'],
  });
  return (type, handler) => unknown.inc({ handler, type });
}

/** How often the event loop is sampled, in milliseconds; each sample contains this much that is no delay. */
const loopResolutionMs = 10;
const nanosecondsPerSecond = 1e9;

/** Measures how long the event loop kept work waiting since the metrics were last read. */
function measureEventLoop(registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: loopResolutionMs });
  delays.enable();
  new Gauge({
    name: 'mneme_event_loop_delay_seconds',
    help: 'How long the event loop kept work waiting, since the metrics were read last',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      for (const [quantile, nanoseconds] of Object.entries(figuresOf(delays))) {
        this.set({ quantile }, Math.max(0, nanoseconds / nanosecondsPerSecond - loopResolutionMs / 1_000));
      }
      delays.reset();
    },
  });
}

function figuresOf(delays: ReturnType<typeof monitorEventLoopDelay>): Record<string, number> {
  // Without a sample the histogram has no maximum.
  if (delays.count === 0) return { p50: 0, p99: 0, max: 0 };
  return { p50: delays.percentile(50), p99: delays.percentile(99), max: delays.max };
}
