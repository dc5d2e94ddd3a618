import { Stack, Table, Tabs, Text, Title } from '@mantine/core';
import type { SearchResult } from '@mneme/client';
import { en } from '../../text/en.ts';
import { ActivationPicture } from './activation-picture.tsx';
import { MethodsPicture } from './methods-picture.tsx';
import { RanksPicture } from './ranks-picture.tsx';
import type { Trace } from './trace.ts';

const text = en.search.trace;

interface TracePicturesProps {
  readonly trace: Trace;
  readonly results: readonly SearchResult[];
  readonly onSelect: (unitId: string) => void;
}

/** How the results were found: by which methods, over which links, and in which order after each stage. */
export function TracePictures({ trace, results, onSelect }: TracePicturesProps) {
  const { picture } = trace;
  return (
    <Stack gap="xs">
      <Title order={3} fz="md">
        {text.title}
      </Title>
      <Tabs defaultValue="methods" keepMounted={false}>
        <Tabs.List>
          {picture && <Tabs.Tab value="methods">{text.tabs.methods}</Tabs.Tab>}
          {picture && <Tabs.Tab value="activation">{text.tabs.activation}</Tabs.Tab>}
          {picture && <Tabs.Tab value="ranks">{text.tabs.ranks}</Tabs.Tab>}
          <Tabs.Tab value="phases">{text.tabs.phases}</Tabs.Tab>
        </Tabs.List>
        {picture && (
          <>
            <Tabs.Panel value="methods" pt="sm">
              <MethodsPicture picture={picture} results={results} />
            </Tabs.Panel>
            <Tabs.Panel value="activation" pt="sm">
              <ActivationPicture picture={picture} onSelect={onSelect} />
            </Tabs.Panel>
            <Tabs.Panel value="ranks" pt="sm">
              <RanksPicture picture={picture} results={results} />
            </Tabs.Panel>
          </>
        )}
        <Tabs.Panel value="phases" pt="sm">
          <Phases trace={trace} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Phases({ trace: { phases, reranker, pruned } }: { readonly trace: Trace }) {
  const reasons = Map.groupBy(pruned, ({ reason }) => reason);
  return (
    <Stack gap="xs">
      <Text size="sm">{text.reranker(en.search.fields.rerankers[reranker.used])}</Text>
      {reranker.reason !== null && (
        <Text size="sm" className="user-text">
          {text.otherReranker(en.search.fields.rerankers[reranker.asked], reranker.reason)}
        </Text>
      )}
      <Pairs
        head={[text.phase, text.duration]}
        rows={phases.map(({ name, duration_seconds }) => [name, text.milliseconds(duration_seconds)])}
      />
      {reasons.size > 0 && (
        <Pairs
          head={[text.leftOut, text.count]}
          rows={[...reasons].map(([reason, units]) => [reason, units.length.toLocaleString(en.locale)])}
        />
      )}
    </Stack>
  );
}

interface PairsProps {
  readonly head: readonly [string, string];
  readonly rows: readonly (readonly [string, string])[];
}

function Pairs({ head, rows }: PairsProps) {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{head[0]}</Table.Th>
          <Table.Th ta="right">{head[1]}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Td>{name}</Table.Td>
            <Table.Td ta="right">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
