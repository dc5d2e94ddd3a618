import '@mantine/charts/styles.css';
import { RadarChart } from '@mantine/charts';
import { Box } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { Personality } from '@mneme/client';
import { en } from '../../text/en.ts';
import { traits } from './trait-names.ts';

const text = en.agents.traits;
const height = 320;
const maxRadius = 128;
/** The widest line of a name that is in two lines, in pixels. */
const lineWidth = 65;
/** Below it there is no room for the longest name in one line beside the picture. */
const wide = 460;

export function TraitsRadar({ personality }: { readonly personality: Personality }) {
  const { ref, width } = useElementSize();
  const isNarrow = width < wide;
  const names = isNarrow ? { ...text.names, ...text.brokenNames } : text.names;
  const data = traits.map((trait) => ({ trait: names[trait], value: personality[trait] }));
  const values = traits.map((trait) => `${text.names[trait]} ${personality[trait]}`).join(', ');
  return (
    <Box ref={ref} role="img" aria-label={`${text.picture}: ${values}`}>
      <RadarChart
        h={height}
        data={data}
        dataKey="trait"
        series={[{ name: 'value', color: 'blue', opacity: 0.3 }]}
        withPolarRadiusAxis
        // A text that is wider than it may be continues in the next line after each space.
        polarAngleAxisProps={{ tick: isNarrow ? { width: 1 } : true }}
        polarRadiusAxisProps={{ domain: [0, 1], tick: false, axisLine: false }}
        radarChartProps={{
          accessibilityLayer: false,
          outerRadius: Math.max(0, Math.min(maxRadius, width / 2 - lineWidth)),
        }}
        radarProps={{ isAnimationActive: false }}
      />
    </Box>
  );
}
