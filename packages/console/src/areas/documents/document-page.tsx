import { Alert, Badge, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import type { ListedMemory, MnemeDocument } from '@mneme/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { mneme } from '../../app/client.ts';
import { ConfirmButton } from '../../components/forms/confirm-button.tsx';
import { RouteLink } from '../../components/link.tsx';
import { Loading } from '../../components/loading.tsx';
import { ProblemAlert } from '../../components/problem.tsx';
import { Time } from '../../components/time.tsx';
import { documentQuery, dropUnits, readUnitsAgain } from '../../components/unit/queries.ts';
import { en } from '../../text/en.ts';
import { markUnits, type Segment } from './mark-units.ts';
import { freshMs, maxMarked, unitsOfDocumentQuery } from './queries.ts';
import './documents.css';

const route = getRouteApi('/shell/documents/view');
const text = en.documents.view;
/** How much of a text is drawn at first and with each request for more, in characters. */
const textStep = 50_000;
/** How many memories are listed at first and with each request for more. */
const listStep = 200;

/** A document: its text, with what became memories. */
export function DocumentPage() {
  const { agent, id } = route.useSearch();
  return (
    <Stack>
      <RouteLink to="/documents" search={agent === undefined ? {} : { agent }}>
        {en.documents.back}
      </RouteLink>
      {agent === undefined || id === undefined ? (
        <Text>{text.noName}</Text>
      ) : (
        <NamedDocument key={`${agent} ${id}`} agentId={agent} documentId={id} />
      )}
    </Stack>
  );
}

function NamedDocument({ agentId, documentId }: { readonly agentId: string; readonly documentId: string }) {
  const document = useQuery({ ...documentQuery(agentId, documentId), staleTime: freshMs });
  const units = useQuery(unitsOfDocumentQuery(agentId, documentId));
  return (
    <>
      <Title order={1} className="user-text">
        {documentId}
      </Title>
      {document.isPending && <Loading />}
      {document.isError && <ProblemAlert error={document.error} onRetry={() => void document.refetch()} />}
      {units.isError && <ProblemAlert error={units.error} onRetry={() => void units.refetch()} />}
      {document.data && (
        <>
          <About document={document.data} />
          <MarkedDocument
            text={document.data.original_text}
            units={units.data ?? []}
            isComplete={units.data !== undefined}
          />
        </>
      )}
    </>
  );
}

function About({ document }: { readonly document: MnemeDocument }) {
  const { id, agent_id: agentId, original_text: original, memory_unit_count: units, created_at, updated_at } = document;
  const { columns } = en.documents;
  const queryClient = useQueryClient();
  const navigate = route.useNavigate();
  const remove = async () => {
    await mneme.agent(agentId).documents.delete(id);
    await navigate({ to: '/documents', search: { agent: agentId } });
    for (const part of ['one', 'units']) queryClient.removeQueries({ queryKey: ['documents', part, agentId, id] });
    dropUnits(queryClient);
    await readUnitsAgain(queryClient);
  };
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        {text.memoriesCount(units)}, {text.length(lengthOf(original))}, {columns.created} <Time value={created_at} />,{' '}
        {columns.updated} <Time value={updated_at} />
      </Text>
      <ConfirmButton
        label={text.delete}
        question={text.deleteQuestion}
        explanation={text.deleteExplanation(id)}
        act={remove}
        isDangerous
      />
    </Group>
  );
}

/** In characters (code points), as the server counts them. */
function lengthOf(original: string): number {
  const surrogatePairs = original.match(/[\u{10000}-\u{10ffff}]/gu) ?? [];
  return original.length - surrogatePairs.length;
}

interface MarkedDocumentProps {
  readonly text: string;
  readonly units: readonly ListedMemory[];
  /** Whether the memories are here. */
  readonly isComplete: boolean;
}

function MarkedDocument({ text: original, units, isComplete }: MarkedDocumentProps) {
  const { segments, elsewhere } = useMemo(() => markUnits(original, units), [original, units]);
  const [shown, setShown] = useState(textStep);
  return (
    <>
      <Stack component="section" aria-label={text.text} gap="xs">
        <Title order={2}>{text.text}</Title>
        <Text size="sm" c="dimmed">
          {text.textHint}
        </Text>
        {units.length === maxMarked && <Alert color="yellow" title={text.tooMany(maxMarked)} />}
        <Paper withBorder p="md" className="user-text document-text">
          {segments
            .filter(({ start }) => start < shown)
            .map((segment) => (
              <Part key={segment.start} segment={segment} shown={shown} />
            ))}
        </Paper>
        {shown < original.length && (
          <Group>
            <Button variant="default" onClick={() => setShown(shown + textStep)}>
              {text.more}
            </Button>
            <Text size="sm">{text.shown(lengthOf(original.slice(0, shown)), lengthOf(original))}</Text>
          </Group>
        )}
      </Stack>
      {isComplete && <Memories units={units} elsewhere={new Set(elsewhere)} />}
    </>
  );
}

interface PartProps {
  readonly segment: Segment<ListedMemory>;
  readonly shown: number;
}

function Part({ segment: { start, text: part, units }, shown }: PartProps) {
  const [unit] = units;
  if (!unit) return <span>{part.slice(0, shown - start)}</span>;
  return (
    <mark className="marked-unit" data-type={unit.fact_type}>
      <RouteLink to="/memories/$unitId" params={{ unitId: unit.id }} c="inherit" title={unit.text}>
        {part}
      </RouteLink>
    </mark>
  );
}

interface MemoriesProps {
  readonly units: readonly ListedMemory[];
  readonly elsewhere: ReadonlySet<ListedMemory>;
}

function Memories({ units, elsewhere }: MemoriesProps) {
  const [shown, setShown] = useState(listStep);
  return (
    <Stack component="section" aria-label={text.memories} gap="xs">
      <Title order={2}>{text.memories}</Title>
      {units.length === 0 && <Text>{text.noMemories}</Text>}
      <List spacing={6} listStyleType="none">
        {units.slice(0, shown).map((unit) => (
          <List.Item key={unit.id}>
            <Badge variant="default" mr={8}>
              {en.factTypes[unit.fact_type]}
            </Badge>
            <RouteLink to="/memories/$unitId" params={{ unitId: unit.id }} className="user-text">
              {unit.text}
            </RouteLink>
            {elsewhere.has(unit) && (
              <Text size="xs" c="dimmed">
                {text.elsewhere}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
      {shown < units.length && (
        <Group>
          <Button variant="default" onClick={() => setShown(shown + listStep)}>
            {en.agents.more}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
