import { Button, Chip, Group, Input, Select, Stack } from '@mantine/core';
import type { FactType, Graph } from '@mneme/client';
import { useMemo } from 'react';
import { en } from '../../text/en.ts';
import { colorOf } from './colors.ts';
import { countBy, entitiesOf } from './filter-graph.ts';
import { factTypes, type GraphFilters, type LinkKind, linkKinds } from './graph-search.ts';
import { maxLinks } from './queries.ts';
import { TimeBrush } from './time-brush.tsx';

const text = en.graph.filters;
type Kind = FactType | LinkKind;

const maxOptions = 100;

interface GraphFiltersProps {
  readonly graph: Graph;
  readonly filters: GraphFilters;
  /** Takes the filters that change; undefined takes one away. */
  readonly onChange: (changed: { readonly [K in keyof GraphFilters]: GraphFilters[K] | undefined }) => void;
}

/** By type, kind of link, entity and time. All of it is done in the browser. */
export function GraphFilterBar({ graph, filters, onChange }: GraphFiltersProps) {
  const { types, kinds, entity, since, until } = filters;
  const typeCounts = useMemo(() => countBy(graph.nodes, ({ type }) => type), [graph]);
  const kindCounts = useMemo(() => countBy(graph.edges, ({ type }) => type), [graph]);
  const kindName = (kind: LinkKind) => {
    const name = en.linkKinds[kind];
    // Those that are not loaded would be missing in the count.
    return graph.edges.length >= maxLinks ? name : text.option(name, kindCounts.get(kind) ?? 0);
  };
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Stack gap="sm">
      <Group gap="lg" align="flex-start">
        <Choice
          label={text.types}
          all={factTypes}
          chosen={types ?? factTypes}
          name={(type) => text.option(en.factTypes[type], typeCounts.get(type) ?? 0)}
          onChange={(chosen) => onChange({ types: chosen.length === factTypes.length ? undefined : chosen })}
        />
        <Choice
          label={text.kinds}
          all={linkKinds}
          chosen={kinds ?? linkKinds}
          name={kindName}
          onChange={(chosen) => onChange({ kinds: chosen.length === linkKinds.length ? undefined : chosen })}
        />
        <EntitySelect graph={graph} entity={entity} onChange={(chosen) => onChange({ entity: chosen })} />
      </Group>
      <TimeBrush
        nodes={graph.nodes}
        since={since}
        until={until}
        onChange={(span) => onChange({ since: span.since, until: span.until })}
      />
      {isFiltered && (
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() =>
              onChange({ types: undefined, kinds: undefined, entity: undefined, since: undefined, until: undefined })
            }
          >
            {text.clear}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface ChoiceProps<T extends Kind> {
  readonly label: string;
  readonly all: readonly T[];
  readonly chosen: readonly T[];
  readonly name: (value: T) => string;
  readonly onChange: (chosen: T[]) => void;
}

function Choice<T extends Kind>({ label, all, chosen, name, onChange }: ChoiceProps<T>) {
  return (
    <Input.Wrapper label={label} component="fieldset" labelElement="div" className="choice">
      <Chip.Group
        multiple
        value={[...chosen]}
        onChange={(values) => onChange(all.filter((value) => values.includes(value)))}
      >
        <Group gap={6}>
          {all.map((value) => (
            <Chip key={value} value={value} size="xs" variant="outline">
              <span className="key" style={{ background: colorOf(value) }} />
              {name(value)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}

interface EntitySelectProps {
  readonly graph: Graph;
  readonly entity: string | undefined;
  readonly onChange: (entity: string | undefined) => void;
}

function EntitySelect({ graph, entity, onChange }: EntitySelectProps) {
  const entities = useMemo(() => entitiesOf(graph), [graph]);
  const options = entities.map(({ name, count }) => ({ value: name, label: text.option(name, count) }));
  const isListed = entity === undefined || entities.some(({ name }) => name === entity);
  return (
    <Select
      label={text.entity}
      placeholder={text.anyEntity}
      data={isListed ? options : [{ value: entity, label: entity }, ...options]}
      value={entity ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      limit={maxOptions}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': text.anyEntity }}
    />
  );
}
