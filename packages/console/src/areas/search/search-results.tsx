import { Anchor, Badge, Group, Progress, Stack, Text, Title } from '@mantine/core';
import type { SearchResponse, SearchResult } from '@mneme/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { Suspense } from 'react';
import { lazyComponent } from '../../app/load-code.ts';
import { Loading } from '../../components/loading.tsx';
import { ProblemAlert } from '../../components/problem.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import { MarkedText } from './marked-text.tsx';
import { hasWords, type Method, methods, methodsOf, rankIn } from './trace.ts';

const TracePictures = lazyComponent(() => import('./trace-pictures.tsx'), 'TracePictures');

const text = en.search;

type Search = UseQueryResult<SearchResponse>;

interface SearchResultsProps {
  readonly label: string;
  readonly question: string;
  readonly search: Search;
  /** The search beside it. */
  readonly other?: { readonly name: string; readonly search: Search };
  readonly selected: string | undefined;
  readonly onSelect: (unitId: string) => void;
}

/** What was found, the best first, and how. */
export function SearchResults({ label, question, search, other, selected, onSelect }: SearchResultsProps) {
  const { data, error, isPending, refetch } = search;
  return (
    <Stack component="section" aria-label={label}>
      <Title order={2}>{label}</Title>
      {isPending && <Loading />}
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <Text size="sm" c="dimmed" aria-live="polite">
            {text.found(data.results.length, data.trace?.time_seconds ?? 0)}
          </Text>
          {data.results.length === 0 && <Text>{text.nothing}</Text>}
          <ResultList question={question} data={data} other={other} selected={selected} onSelect={onSelect} />
          {data.trace && (
            <Suspense fallback={<Loading />}>
              <TracePictures trace={data.trace} results={data.results} onSelect={onSelect} />
            </Suspense>
          )}
        </>
      )}
    </Stack>
  );
}

interface ResultListProps extends Omit<SearchResultsProps, 'label' | 'search' | 'other'> {
  readonly data: SearchResponse;
  readonly other: SearchResultsProps['other'];
}

function ResultList({ question, data: { results, trace }, other, selected, onSelect }: ResultListProps) {
  const found = methodsOf(trace);
  const otherIds = other?.search.data?.results.map(({ id }) => id);
  return (
    <ol className="results">
      {results.map((result, index) => (
        <li key={result.id} aria-current={result.id === selected ? true : undefined}>
          <Result
            result={result}
            rank={index + 1}
            question={question}
            found={found.get(result.id) ?? []}
            onSelect={onSelect}
          />
          {otherIds && (
            <Text size="xs" c="dimmed">
              {text.rankInOther(other?.name ?? '', rankIn(otherIds, result.id))}
            </Text>
          )}
        </li>
      ))}
    </ol>
  );
}

interface ResultProps {
  readonly result: SearchResult;
  readonly rank: number;
  readonly question: string;
  readonly found: readonly Method[];
  readonly onSelect: (unitId: string) => void;
}

function Result({ result, rank, question, found, onSelect }: ResultProps) {
  const { id, score, relevance, type, event_date, document_id, entities } = result;
  return (
    <Stack gap={4}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Text fw={700} size="sm" miw="1.75rem">
          {rank}.
        </Text>
        <Anchor component="button" ta="left" className="user-text" c="inherit" onClick={() => onSelect(id)}>
          <MarkedText text={result.text} question={question} isMarked={hasWords(found)} />
        </Anchor>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Progress value={100 * score} flex={1} aria-label={text.score(score)} />
        <Text size="xs" ff="monospace">
          {score.toFixed(3)}
        </Text>
      </Group>
      <Group gap={6}>
        <FoundBy found={found} />
        {relevance === 'low' && (
          <Badge variant="default" tt="none">
            {text.lowRelevance}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" className="user-text">
        {type && en.factTypes[type]}, <Time value={event_date} />
        {[document_id, entities].filter(Boolean).map((part) => `, ${part}`)}
      </Text>
    </Stack>
  );
}

/** Whether words or meaning of it matched, with its rank there. */
function FoundBy({ found }: Pick<ResultProps, 'found'>) {
  if (found.length === 0) {
    return (
      <Badge variant="default" tt="none">
        {text.reached}
      </Badge>
    );
  }
  return methods.map((name) => {
    const method = found.find((each) => each.method === name);
    return (
      method && (
        <Badge key={name} variant="default" tt="none">
          {text.methodRank(text.methods[name], method.rank)}
        </Badge>
      )
    );
  });
}
