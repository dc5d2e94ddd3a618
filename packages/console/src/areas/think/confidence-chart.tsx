import { LineChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { Stack, Title } from '@mantine/core';
import { en } from '../../text/en.ts';
import type { OpinionStep } from './queries.ts';

const text = en.think.opinions;
const height = 200;
const time = new Intl.DateTimeFormat(en.locale, { dateStyle: 'short', timeStyle: 'medium' });

/** How sure the agent was after each change; beside it stands the list that says the same in words. */
export function ConfidenceChart({ steps }: { readonly steps: readonly OpinionStep[] }) {
  const data = steps.flatMap(({ time: at, confidence }) =>
    confidence === null ? [] : [{ time: time.format(new Date(at)), confidence: Math.round(100 * confidence) }],
  );
  if (data.length < 2) return null;
  return (
    <Stack component="figure" m={0} gap="xs">
      <Title order={2} component="figcaption">
        {text.chart}
      </Title>
      <LineChart
        h={height}
        data={data}
        dataKey="time"
        series={[{ name: 'confidence', label: text.confidence, color: 'blue.6' }]}
        curveType="stepAfter"
        yAxisProps={{ domain: [0, 100] }}
        withLegend={false}
        lineChartProps={{ accessibilityLayer: false }}
        aria-hidden
      />
    </Stack>
  );
}
