import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { mneme } from '../../app/client.ts';
import { useSession } from '../../app/session/session.ts';
import { en } from '../../text/en.ts';

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

/**
 * The agent that the address names, else the one of the key; undefined if there is none. Where none is named, the one that
 * changed last is put into the address, so that the page stays with it when another one changes.
 */
export function useAgent(named: string | undefined) {
  const bound = useSession().key?.agent_id;
  const known = named ?? (bound == null ? undefined : String(bound));
  const { data, isPending, isFetching, error, refetch } = useQuery({
    ...agentNamesQuery(''),
    enabled: known === undefined,
  });
  const latest = known === undefined ? data?.[0] : undefined;
  const navigate = useNavigate();
  useEffect(() => {
    // What was read before may be out of date: the agent may have been erased.
    if (latest === undefined || isFetching) return;
    void navigate({ to: '.', search: (now) => ({ ...now, agent: latest }), replace: true, resetScroll: false });
  }, [latest, isFetching, navigate]);
  return {
    agentId: known,
    isPending: known === undefined && (isPending || latest !== undefined),
    error,
    refetch,
  };
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
