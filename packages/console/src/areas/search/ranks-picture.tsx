import { Box, Stack, Table, Text } from '@mantine/core';
import type { SearchResult } from '@mneme/client';
import { en } from '../../text/en.ts';
import { type Picture, rankIn } from './trace.ts';

const text = en.search.trace;
const maxLines = 10;
const width = 560;
const rowHeight = 26;
const margin = { top: 26, side: 60 };

interface RanksPictureProps {
  readonly picture: Picture;
  readonly results: readonly SearchResult[];
}

interface Line {
  readonly id: string;
  readonly shown: string;
  /** After each stage, from 1; undefined where it is not in the list. */
  readonly ranks: readonly (number | undefined)[];
}

/** The best results as lines from stage to stage. */
export function RanksPicture({ picture: { stages }, results }: RanksPictureProps) {
  const lines = results.slice(0, maxLines).map(({ id, text: shown }): Line => {
    return { id, shown, ranks: stages.map(({ ids }) => rankIn(ids, id)) };
  });
  const names = stages.map(({ name }) => text.stages[name]);
  if (lines.length === 0) return <Text size="sm">{en.search.nothing}</Text>;
  return (
    <Stack gap="sm">
      <Box component="section" className="wide" tabIndex={0} aria-label={text.tabs.ranks}>
        <BumpChart lines={lines} names={names} />
        <Table miw={480} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="45%">{text.result}</Table.Th>
              {names.map((name) => (
                <Table.Th key={name} ta="right">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map(({ id, shown, ranks }, index) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <Text size="sm" lineClamp={1} className="user-text">
                    <span className={`line-key line-${index}`} /> {shown}
                  </Text>
                </Table.Td>
                {names.map((name, stage) => (
                  <Table.Td key={name} ta="right">
                    {ranks[stage] ?? en.none}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </Stack>
  );
}

function BumpChart({ lines, names }: { readonly lines: readonly Line[]; readonly names: readonly string[] }) {
  const ranks = [...new Set(lines.flatMap((line) => line.ranks.filter((rank) => rank !== undefined)))];
  // Ranks that none of them has take no room.
  const rows = new Map(ranks.sort((left, right) => left - right).map((rank, row) => [rank, row]));
  const height = margin.top + rows.size * rowHeight;
  const x = (stage: number) => margin.side + (stage * (width - 2 * margin.side)) / Math.max(1, names.length - 1);
  const y = (rank: number) => margin.top + ((rows.get(rank) ?? 0) + 0.5) * rowHeight;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className="bumps" role="img" aria-label={text.bumps(lines.length)}>
      {names.map((name, stage) => (
        <text key={name} x={x(stage)} y={14} className="node-label">
          {name}
        </text>
      ))}
      {lines.map(({ id, shown, ranks: places }, index) => {
        const points = places.flatMap((rank, stage) => (rank === undefined ? [] : [{ x: x(stage), y: y(rank), rank }]));
        return (
          <g key={id} className={`line line-${index}`}>
            <title>{shown}</title>
            <polyline points={points.map((point) => `${point.x},${point.y}`).join(' ')} />
            {points.map((point) => (
              <g key={point.x}>
                <circle cx={point.x} cy={point.y} r={11} />
                <text x={point.x} y={point.y + 4}>
                  {point.rank}
                </text>
              </g>
            ))}
          </g>
        );
      })}
    </svg>
  );
}
