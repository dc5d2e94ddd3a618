import '@mantine/charts/styles.css';
import { RadarChart } from '@mantine/charts';
import { Box } from '@mantine/core';
import type { Personality } from '@mneme/client';
import { en } from '../../text/en.ts';
import { traits } from './trait-names.ts';

const text = en.agents.traits;
const height = 320;

export function TraitsRadar({ personality }: { readonly personality: Personality }) {
  const data = traits.map((trait) => ({ trait: text.names[trait], value: personality[trait] }));
  const values = data.map(({ trait, value }) => `${trait} ${value}`).join(', ');
  return (
    <Box role="img" aria-label={`${text.picture}: ${values}`}>
      <RadarChart
        h={height}
        data={data}
        dataKey="trait"
        series={[{ name: 'value', color: 'blue', opacity: 0.3 }]}
        withPolarRadiusAxis
        polarRadiusAxisProps={{ domain: [0, 1], tick: false, axisLine: false }}
        radarChartProps={{ accessibilityLayer: false }}
        radarProps={{ isAnimationActive: false }}
      />
    </Box>
  );
}
