import { RangeSlider, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import type { Node } from './filter-graph.ts';
import type { GraphFilters } from './graph-search.ts';
import { type Histogram, histogramOf, rangeIn } from './histogram.ts';

const text = en.graph.time;
const day = new Intl.DateTimeFormat(en.locale, { dateStyle: 'medium' });

interface TimeBrushProps {
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly nodes: readonly Node[];
  readonly onChange: (span: Pick<GraphFilters, 'since' | 'until'>) => void;
}

/** When the memories happened, and which part of that time is shown. */
export function TimeBrush({ nodes, ...span }: TimeBrushProps) {
  const histogram = useMemo(() => histogramOf(nodes.map(({ date }) => Date.parse(date))), [nodes]);
  if (!histogram) return null;
  return <Brush key={`${histogram.bounds[0]} ${histogram.bounds.at(-1)}`} histogram={histogram} {...span} />;
}

function Brush({ histogram, since, until, onChange }: Omit<TimeBrushProps, 'nodes'> & { histogram: Histogram }) {
  const { bounds, counts } = histogram;
  const [[from, to], setRange] = useState(() => rangeIn(histogram, since, until));
  const last = bounds.length - 1;
  const isWhole = since === undefined && until === undefined;
  // What is moved here reaches the address later; only that everything is shown again comes from elsewhere.
  useEffect(() => {
    if (isWhole) setRange([0, last]);
  }, [isWhole, last]);
  const most = Math.max(...counts);
  const timeAt = (index: number) => new Date(bounds[index] ?? 0).toISOString();
  return (
    <Stack gap={2}>
      <Text size="sm" fw={500}>
        {text.label}
      </Text>
      <div className="histogram" role="img" aria-label={text.picture(nodesIn(counts))}>
        {counts.map((count, index) => (
          <span
            key={bounds[index]}
            data-chosen={index >= from && index < to}
            style={{ height: `${(100 * count) / most}%` }}
          />
        ))}
      </div>
      <RangeSlider
        min={0}
        max={last}
        minRange={1}
        size="sm"
        value={[from, to]}
        onChange={setRange}
        onChangeEnd={([start, end]) => {
          onChange({
            ...(start > 0 && { since: timeAt(start) }),
            ...(end < last && { until: timeAt(end) }),
          });
        }}
        label={(index) => day.format(new Date(bounds[index] ?? 0))}
        thumbFromLabel={text.from}
        thumbToLabel={text.to}
        thumbValueText={(index) => day.format(new Date(bounds[index] ?? 0))}
      />
      <Text size="xs" c="dimmed">
        <Time value={timeAt(from)} /> – <Time value={timeAt(to)} />
      </Text>
    </Stack>
  );
}

function nodesIn(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
