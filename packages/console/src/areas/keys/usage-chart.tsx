import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Box } from '@mantine/core';
import { en } from '../../text/en.ts';

const text = en.keys.usage;
const height = 220;

interface UsageChartProps {
  /** What it shows, in words. */
  readonly label: string;
  readonly bars: { readonly time: string; readonly requests: number; readonly refused: number }[];
}

export function UsageChart({ label, bars }: UsageChartProps) {
  return (
    <Box role="img" aria-label={label}>
      <BarChart
        h={height}
        data={bars}
        dataKey="time"
        type="stacked"
        withLegend
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ isAnimationActive: false }}
        series={[
          { name: 'requests', label: text.requests, color: 'blue.7' },
          { name: 'refused', label: text.refused, color: 'red.7' },
        ]}
      />
    </Box>
  );
}
