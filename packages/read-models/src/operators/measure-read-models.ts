import type { Metrics } from '@mneme/service-kit';
import { type VersionStatus, versionStates } from '../versions/version-status.ts';
import type { OperatedReadModel } from './serve-read-models.ts';

type Labels = Readonly<Record<string, string>>;

interface Value {
  readonly labels: Labels;
  readonly value: number;
}

const everyMs = 1_000;
const ofLane = ['read_model', 'version', 'lane'] as const;
const ofVersion = ['read_model', 'version'] as const;

/** Measures read models and buckets about once a second, those of this instance's lanes. */
export function measureReadModels(
  metrics: Pick<Metrics, 'gauge'>,
  readModels: readonly OperatedReadModel[],
): { stop(): void } {
  const series = measured.map((measure) => new Series(metrics, measure));
  const measure = () => {
    const versions = readModels.flatMap((readModel) => readModel.status());
    for (const each of series) each.set(versions);
  };
  measure();
  const timer = setInterval(measure, everyMs);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      for (const each of series) each.set([]);
    },
  };
}

interface Measure {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly values: (version: VersionStatus) => readonly Value[];
}

const measured: readonly Measure[] = [
  lanes('position', 'The last sequence of the log that a lane has applied', ({ lane }) => lane.position),
  lanes('lag_events', 'Sequences of the log that a lane has not passed yet', ({ lane, version }) =>
    Math.max(0, version.head - lane.position),
  ),
  lanes(
    'lag_seconds',
    'How long ago the oldest event was made that a lane has not applied',
    ({ lane }) => lane.lagSeconds,
  ),
  lanes(
    'failures_in_a_row',
    'How often writing a lane has failed since it last worked',
    ({ lane }) => lane.failuresInARow,
  ),
  lanes(
    'deferred_aggregates',
    'Aggregates of a lane that wait for an event which could not be applied',
    ({ lane }) => lane.deferred,
  ),
  versions('head', 'The last sequence of the log', ({ head }) => head),
  versions(
    'dead_letters',
    'Events that could not be applied and wait for an operator',
    ({ deferrals }) => deferrals.length,
  ),
  {
    name: 'mneme_read_model_state',
    help: '1 for the state that a version is in, 0 for the others',
    labels: [...ofVersion, 'state'],
    values: (version) =>
      versionStates.map((state) => {
        return { labels: { ...labelsOf(version), state }, value: version.state === state ? 1 : 0 };
      }),
  },
];

function versions(name: string, help: string, measure: (version: VersionStatus) => number): Measure {
  const values = (version: VersionStatus) => [{ labels: labelsOf(version), value: measure(version) }];
  return { name: `mneme_read_model_${name}`, help, labels: ofVersion, values };
}

interface LaneOfVersion {
  readonly lane: VersionStatus['lanes'][number];
  readonly version: VersionStatus;
}

function lanes(name: string, help: string, measure: (of: LaneOfVersion) => number): Measure {
  const values = (version: VersionStatus) =>
    version.lanes.map((lane) => {
      return { labels: { ...labelsOf(version), lane: String(lane.lane) }, value: measure({ lane, version }) };
    });
  return { name: `mneme_read_model_${name}`, help, labels: ofLane, values };
}

function labelsOf({ name, version }: VersionStatus): Labels {
  return { read_model: name, version: String(version) };
}

/** One metric. Services of one process share it, so that each takes away only what it has set itself. */
class Series {
  readonly #gauge: ReturnType<Metrics['gauge']>;
  readonly #measure: Measure;
  #set = new Map<string, Value>();

  constructor(metrics: Pick<Metrics, 'gauge'>, measure: Measure) {
    const { name, help, labels } = measure;
    this.#gauge = metrics.gauge({ name, help, labels });
    this.#measure = measure;
  }

  set(statuses: readonly VersionStatus[]): void {
    const values = statuses.flatMap((status) => this.#measure.values(status));
    const now = new Map(values.map((each) => [JSON.stringify(each.labels), each]));
    for (const [key, { labels }] of this.#set) if (!now.has(key)) this.#gauge.remove(labels);
    for (const [key, { labels, value }] of now) {
      if (this.#set.get(key)?.value !== value) this.#gauge.set(labels, value);
    }
    this.#set = now;
  }
}
