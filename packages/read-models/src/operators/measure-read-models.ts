import { type ReadModelVersion, versionStates } from '@mneme/contracts';
import { GaugeSeries, type GaugeValue, type Metrics, measureEvery } from '@mneme/service-kit';
import type { OperatedReadModel } from './serve-read-models.ts';

const everyMs = 1_000;
const ofLane = ['read_model', 'version', 'lane'] as const;
const ofVersion = ['read_model', 'version'] as const;

/** Measures read models and buckets about once a second, those of this instance's lanes. */
export function measureReadModels(
  metrics: Pick<Metrics, 'gauge'>,
  readModels: readonly OperatedReadModel[],
): { stop(): void } {
  const series = measured.map(({ values, ...options }) => ({ values, gauge: new GaugeSeries(metrics, options) }));
  const measure = () => {
    const versions = readModels.flatMap((readModel) => readModel.status());
    for (const { values, gauge } of series) gauge.set(versions.flatMap(values));
  };
  const end = measureEvery(everyMs, measure);
  return {
    stop: () => {
      end();
      for (const { gauge } of series) gauge.set([]);
    },
  };
}

interface Measure {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly values: (version: ReadModelVersion) => readonly GaugeValue[];
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

function versions(name: string, help: string, measure: (version: ReadModelVersion) => number): Measure {
  const values = (version: ReadModelVersion) => [{ labels: labelsOf(version), value: measure(version) }];
  return { name: `mneme_read_model_${name}`, help, labels: ofVersion, values };
}

interface LaneOfVersion {
  readonly lane: ReadModelVersion['lanes'][number];
  readonly version: ReadModelVersion;
}

function lanes(name: string, help: string, measure: (of: LaneOfVersion) => number): Measure {
  const values = (version: ReadModelVersion) =>
    version.lanes.map((lane) => {
      return { labels: { ...labelsOf(version), lane: String(lane.lane) }, value: measure({ lane, version }) };
    });
  return { name: `mneme_read_model_${name}`, help, labels: ofLane, values };
}

function labelsOf({ name, version }: ReadModelVersion): GaugeValue['labels'] {
  return { read_model: name, version: String(version) };
}
