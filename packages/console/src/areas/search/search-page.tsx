import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { InAgent } from '../../components/selects/agent-select.tsx';
import { BesideUnit } from '../../components/unit/beside-unit.tsx';
import { en } from '../../text/en.ts';
import { searchQuery } from './queries.ts';
import type { SearchAddress } from './search-address.ts';
import { SearchForm } from './search-form.tsx';
import { SearchResults } from './search-results.tsx';
import './search.css';

const route = getRouteApi('/shell/search');
const text = en.search;

/** A question to the memory of an agent, with one or two settings, and how the answer was found. */
export function SearchPage() {
  const { agent, q, a, b } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const search = async (asked: Pick<SearchAddress, 'q' | 'a' | 'b'>) => {
    await navigate({ search: { ...(agent !== undefined && { agent }), ...asked } });
    // Another program may have changed a memory since the same was asked.
    await queryClient.invalidateQueries({ queryKey: ['search'] });
  };
  return (
    <Stack>
      <Title order={1}>{text.title}</Title>
      <InAgent
        named={agent}
        onChange={(chosen) => void navigate({ search: ({ unit: _, ...now }) => ({ ...now, agent: chosen }) })}
        none={text.noAgents}
      >
        {(agentId) => (
          <>
            <SearchForm question={q ?? ''} a={a ?? {}} b={b} onSearch={(asked) => void search(asked)} />
            {q === undefined ? <Text c="dimmed">{text.hint}</Text> : <Searches agentId={agentId} question={q} />}
          </>
        )}
      </InAgent>
    </Stack>
  );
}

function Searches({ agentId, question }: { readonly agentId: string; readonly question: string }) {
  const { a = {}, b, unit } = route.useSearch();
  const navigate = route.useNavigate();
  const first = useQuery(searchQuery(agentId, question, a));
  const second = useQuery({ ...searchQuery(agentId, question, b ?? {}), enabled: b !== undefined });
  const select = (id: string | undefined) => {
    void navigate({
      search: ({ unit: _, ...now }) => ({ ...now, ...(id !== undefined && { unit: id }) }),
      replace: true,
      resetScroll: false,
    });
  };
  const common = { question, selected: unit, onSelect: select };
  return (
    <BesideUnit unitId={unit} onSelect={select}>
      {b === undefined ? (
        <SearchResults label={text.results} search={first} {...common} />
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <SearchResults label={text.resultsOf('A')} search={first} other={{ name: 'B', search: second }} {...common} />
          <SearchResults label={text.resultsOf('B')} search={second} other={{ name: 'A', search: first }} {...common} />
        </SimpleGrid>
      )}
    </BesideUnit>
  );
}
