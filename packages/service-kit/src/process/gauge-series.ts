import type { InstrumentOptions, Metrics } from './metrics.ts';

export interface GaugeValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * A gauge of things that come and go. Services of one process share the gauge, so that each takes away only what it has set
 * itself.
 */
export class GaugeSeries {
  readonly #gauge: ReturnType<Metrics['gauge']>;
  #set = new Map<string, GaugeValue>();

  constructor(metrics: Pick<Metrics, 'gauge'>, options: InstrumentOptions<string>) {
    this.#gauge = metrics.gauge(options);
  }

  /** Sets these values, and removes those of labels that are not among them. */
  set(values: readonly GaugeValue[]): void {
    const next = new Map(values.map((each) => [JSON.stringify(each.labels), each]));
    for (const [key, { labels }] of this.#set) if (!next.has(key)) this.#gauge.remove(labels);
    for (const [key, { labels, value }] of next) {
      if (this.#set.get(key)?.value !== value) this.#gauge.set(labels, value);
    }
    this.#set = next;
  }
}
