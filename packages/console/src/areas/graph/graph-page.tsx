import { Group, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import type { Graph } from '@mneme/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { lazyComponent } from '../../app/load-code.ts';
import { Loading } from '../../components/loading.tsx';
import { ProblemAlert } from '../../components/problem.tsx';
import { InAgent } from '../../components/selects/agent-select.tsx';
import { BesideUnit } from '../../components/unit/beside-unit.tsx';
import { en } from '../../text/en.ts';
import { filterGraph, type ShownGraph } from './filter-graph.ts';
import { GraphFilterBar } from './graph-filters.tsx';
import type { GraphFilters, GraphSearch } from './graph-search.ts';
import { graphQuery, maxLinks } from './queries.ts';
import { UnitTable } from './unit-table.tsx';
import './graph.css';

// What draws it is larger than the rest of the console, and users of the table need none of it.
const GraphCanvas = lazyComponent(() => import('./canvas/graph-canvas.tsx'), 'GraphCanvas');

const route = getRouteApi('/shell/graph');
const text = en.graph;

/** What an agent remembers, as a picture or a table, and one of its memories. */
export function GraphPage() {
  const { agent } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack>
      <Title order={1}>{text.title}</Title>
      <InAgent named={agent} onChange={(id) => void navigate({ search: { agent: id } })} none={text.noAgents}>
        {(agentId) => <AgentGraph key={agentId} agentId={agentId} />}
      </InAgent>
    </Stack>
  );
}

function AgentGraph({ agentId }: { readonly agentId: string }) {
  const { from, to, entity } = route.useSearch();
  const all = useQuery({ ...graphQuery(agentId, { from, to }), placeholderData: keepPreviousData });
  const isCut = all.data !== undefined && all.data.total_units > all.data.nodes.length;
  // Where not all memories are loaded, those that mention the entity may be others.
  const ofEntity = useQuery({
    ...graphQuery(agentId, { from, to, entity }),
    enabled: isCut && entity !== undefined,
    placeholderData: keepPreviousData,
  });
  const { data = all.data } = isCut && entity !== undefined ? ofEntity : all;
  const error = all.error ?? ofEntity.error;
  const retry = () => {
    for (const query of [all, ofEntity]) if (query.isError) void query.refetch();
  };
  const isLimited = from !== undefined || to !== undefined;
  return (
    <>
      {all.isPending && <Loading />}
      {error && <ProblemAlert error={error} onRetry={retry} />}
      {(isCut || isLimited) && <LoadedDays />}
      {all.data?.total_units === 0 && <Text>{isLimited ? text.noneThen : text.empty}</Text>}
      {all.data !== undefined && all.data.total_units > 0 && data && <FilteredGraph graph={data} />}
    </>
  );
}

/** Of which days memories are loaded. */
function LoadedDays() {
  const { from, to } = route.useSearch();
  const navigate = route.useNavigate();
  const day = (name: 'from' | 'to', value: string | undefined) => ({
    label: text.load[name],
    type: 'date',
    value: value ?? '',
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
      const chosen = currentTarget.value === '' ? undefined : currentTarget.value;
      void navigate({
        search: ({ since: _, until: __, ...now }) => defined({ ...now, [name]: chosen }),
        replace: true,
        resetScroll: false,
      });
    },
  });
  return (
    <Group>
      <TextInput {...day('from', from)} />
      <TextInput {...day('to', to)} />
    </Group>
  );
}

function FilteredGraph({ graph }: { readonly graph: Graph }) {
  const { agent, unit, view, from, to, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const key = JSON.stringify(filters);
  const shown = useMemo(() => filterGraph(graph, JSON.parse(key) as GraphFilters), [graph, key]);
  const set = (changed: { readonly [K in keyof GraphSearch]: GraphSearch[K] | undefined }) => {
    void navigate({ search: (now) => defined({ ...now, ...changed }), replace: true, resetScroll: false });
  };
  return (
    <>
      <GraphFilterBar graph={graph} filters={filters} onChange={set} />
      <Group justify="space-between">
        <Text size="sm" c="dimmed" aria-live="polite">
          {text.shown(shown.nodes.length, graph.nodes.length, shown.edgeCount)}
          {graph.total_units > graph.nodes.length && ` ${text.cut(graph.nodes.length, graph.total_units)}`}
          {graph.edges.length >= maxLinks && ` ${text.linksCut(graph.edges.length)}`}
        </Text>
        <SegmentedControl
          aria-label={text.view}
          value={view ?? 'picture'}
          onChange={(chosen) => set({ view: chosen === 'table' ? 'table' : undefined })}
          data={[
            { value: 'picture', label: text.views.picture },
            { value: 'table', label: text.views.table },
          ]}
        />
      </Group>
      <BesideUnit unitId={unit} onSelect={(id) => set({ unit: id })} onEntity={(name) => set({ entity: name })}>
        {graph.total_units === 0 ? (
          <Text>{text.noneOfEntity}</Text>
        ) : (
          <GraphView
            graph={graph}
            shown={shown}
            isTable={view === 'table'}
            selected={unit}
            onSelect={(id) => set({ unit: id })}
          />
        )}
      </BesideUnit>
    </>
  );
}

interface GraphViewProps {
  readonly graph: Graph;
  readonly shown: ShownGraph;
  readonly isTable: boolean;
  readonly selected: string | undefined;
  readonly onSelect: (unitId: string) => void;
}

function GraphView({ graph, shown, isTable, selected, onSelect }: GraphViewProps) {
  if (isTable) return <UnitTable nodes={shown.nodes} selected={selected} onSelect={onSelect} />;
  return (
    <Suspense fallback={<Loading />}>
      <GraphCanvas graph={graph} shown={shown} selected={selected} onSelect={onSelect} />
    </Suspense>
  );
}

/** Without what is undefined, which the address would show otherwise. */
function defined<T extends object>(search: T): GraphSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
