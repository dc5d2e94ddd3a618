import { Button, Group, Stack, Text } from '@mantine/core';
import type { DeadLetter } from '@mneme/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mneme } from '../../app/client.ts';
import { Dialog } from '../../components/forms/dialog.tsx';
import { Loading } from '../../components/loading.tsx';
import { ProblemAlert } from '../../components/problem.tsx';
import { rowsOf } from '../../components/tables/use-pages.ts';
import { type TableColumn, VirtualTable } from '../../components/tables/virtual-table.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import { DeadLetterView } from './dead-letter-view.tsx';

const text = en.system.deadLetters;
const pageSize = 100;
const refetchInterval = 5_000;

/** Events that could not be read, handled or applied, the oldest first. */
export function DeadLetters() {
  const [opened, setOpened] = useState<DeadLetter>();
  const { data, isPending, isError, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    {
      queryKey: ['system', 'dead-letters'],
      queryFn: ({ pageParam, signal }) => mneme.system.deadLetterPage({ limit: pageSize, cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
      refetchInterval,
    },
  );
  const letters = data?.pages.flatMap(({ dead_letters }) => dead_letters) ?? [];
  const close = () => setOpened(undefined);
  return (
    <Stack>
      {isError && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && letters.length === 0 && <Text>{text.empty}</Text>}
      {letters.length > 0 && (
        <>
          <Text size="sm" c="dimmed" aria-live="polite">
            {text.total(data?.pages[0]?.total ?? 0)}
          </Text>
          <VirtualTable label={en.system.tabs['dead-letters']} columns={columnsFor(setOpened)} rows={rowsOf(letters)} />
        </>
      )}
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {en.agents.more}
          </Button>
        </Group>
      )}
      <Dialog
        opened={opened !== undefined}
        onClose={close}
        title={opened && text.dialogTitle(opened.id)}
        size="lg"
        closeLabel={text.close}
      >
        {opened && <DeadLetterView key={opened.id} deadLetter={opened} onSettled={close} />}
      </Dialog>
    </Stack>
  );
}

function columnsFor(open: (deadLetter: DeadLetter) => void): readonly TableColumn<DeadLetter>[] {
  const { columns } = text;
  return [
    {
      key: 'id',
      title: columns.id,
      width: 90,
      cell: (letter) => (
        <Button size="compact-sm" variant="default" aria-label={text.show(letter.id)} onClick={() => open(letter)}>
          {letter.id}
        </Button>
      ),
    },
    { key: 'time', title: columns.time, width: 190, cell: ({ failed_at }) => <Time value={failed_at} /> },
    { key: 'reader', title: columns.reader, width: 150, cell: ({ reader }) => reader },
    { key: 'type', title: columns.type, width: 160, cell: ({ type }) => type ?? en.none },
    { key: 'waits', title: columns.waits, width: 200, cell: ({ aggregate }) => aggregate ?? text.nothing },
    { key: 'reason', title: columns.reason, width: 320, cell: ({ reason }) => reason },
  ];
}
