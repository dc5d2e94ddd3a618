import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { mneme } from '../../app/client.ts';
import { useSession } from '../../app/session/session.ts';
import { en } from '../../text/en.ts';
import { Loading } from '../loading.tsx';
import { ProblemAlert } from '../problem.tsx';

const typingMs = 200;
const shownAgents = 50;

/** The first agents with this in their names, those first that changed last. */
function agentNamesQuery(part: string) {
  return queryOptions({
    queryKey: ['agents', 'names', part],
    queryFn: async ({ signal }) => {
      const { agents } = await mneme.agents.page({ limit: shownAgents, signal, ...(part !== '' && { q: part }) });
      return agents.map(({ agent_id }) => agent_id);
    },
  });
}

interface InAgentProps {
  /** The agent that the address names. */
  readonly named: string | undefined;
  readonly onChange: (agentId: string) => void;
  /** Said where there are no agents. */
  readonly none: string;
  /** What there is of the agent. */
  readonly children: (agentId: string) => ReactNode;
}

/**
 * Lets one choose an agent, and shows what there is of it. Where the address names none and no key is bound to one, the agent
 * that changed last is put into the address, so that the page stays with it when another one changes.
 */
export function InAgent({ named, onChange, none, children }: InAgentProps) {
  const bound = useSession().key?.agent_id;
  const known = named ?? (bound == null ? undefined : String(bound));
  const latest = useQuery({ ...agentNamesQuery(''), enabled: known === undefined });
  const { isFetching, error } = latest;
  const first = known === undefined ? latest.data?.[0] : undefined;
  const isPending = known === undefined && (latest.isPending || first !== undefined);
  const navigate = useNavigate();
  useEffect(() => {
    // What was read before may be out of date: the agent may have been erased.
    if (first === undefined || isFetching) return;
    void navigate({ to: '.', search: (now) => ({ ...now, agent: first }), replace: true, resetScroll: false });
  }, [first, isFetching, navigate]);
  return (
    <>
      <AgentSelect value={known} onChange={onChange} />
      {isPending && <Loading />}
      {error && <ProblemAlert error={error} onRetry={() => void latest.refetch()} />}
      {known === undefined && !isPending && !error && <Text>{none}</Text>}
      {known !== undefined && children(known)}
    </>
  );
}

interface AgentSelectProps {
  readonly value: string | undefined;
  readonly onChange: (agentId: string) => void;
}

/** One agent of those that have what is typed in their names. */
export function AgentSelect({ value, onChange }: AgentSelectProps) {
  const [typed, setTyped] = useState('');
  const [part] = useDebouncedValue(typed === value ? '' : typed, typingMs);
  const { data: found = [] } = useQuery({ ...agentNamesQuery(part), placeholderData: keepPreviousData });
  const isListed = value === undefined || found.includes(value);
  return (
    <Select
      label={en.agentSelect.label}
      data={isListed ? found : [value, ...found]}
      value={value ?? null}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      searchable
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={en.agentSelect.none}
      allowDeselect={false}
    />
  );
}
