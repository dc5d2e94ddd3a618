import { Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import type { Delivery } from '@mneme/client';
import { useState } from 'react';
import { Loading } from '../../../components/loading.tsx';
import { ProblemAlert } from '../../../components/problem.tsx';
import { StateBadge } from '../../../components/state-badge.tsx';
import { usePages } from '../../../components/tables/use-pages.ts';
import { type TableColumn, VirtualTable } from '../../../components/tables/virtual-table.tsx';
import { Time } from '../../../components/time.tsx';
import { en } from '../../../text/en.ts';
import { deliveriesKey, readDeliveries } from '../queries.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryStatus } from './delivery-status.tsx';
import { useLiveDeliveries } from './use-live-deliveries.ts';

const text = en.webhooks.deliveries;
const liveTones = { live: 'good', connecting: 'neutral', broken: 'bad' } as const;
/** A longer beginning does not fit into a cell. */
const shownLength = 200;

type Shown = Delivery['status'] | 'any';
const shownStatuses: readonly Shown[] = ['any', 'processed', 'error', 'received'];

/** What was delivered to a webhook, as it comes. */
export function Deliveries({ webhookId }: { readonly webhookId: number }) {
  const live = useLiveDeliveries(webhookId);
  const [shown, setShown] = useState<Shown>('any');
  return (
    <Stack>
      <Group justify="space-between" align="end">
        <Group>
          <Title order={2}>{text.title}</Title>
          <StateBadge tone={liveTones[live]}>{text[live]}</StateBadge>
        </Group>
        <Select
          label={text.shown}
          data={shownStatuses.map((value) => ({ value, label: value === 'any' ? text.any : text.statuses[value] }))}
          value={shown}
          onChange={(value) => value !== null && setShown(value)}
          allowDeselect={false}
          w={160}
        />
      </Group>
      <DeliveryList key={shown} webhookId={webhookId} status={shown === 'any' ? undefined : shown} />
    </Stack>
  );
}

interface DeliveryListProps {
  readonly webhookId: number;
  /** Undefined: any. */
  readonly status: Delivery['status'] | undefined;
}

function DeliveryList({ webhookId, status }: DeliveryListProps) {
  const rows = usePages(deliveriesKey(webhookId, status), (page) => readDeliveries(webhookId, status, page));
  const [opened, setOpened] = useState<Delivery>();
  const { total, error } = rows;
  return (
    <>
      {error !== undefined && <ProblemAlert error={error} onRetry={rows.refetch} />}
      {total === undefined && error === undefined && <Loading />}
      {total === 0 && <Text>{status === undefined ? text.empty : text.noneOfStatus}</Text>}
      {total !== undefined && total > 0 && (
        <>
          <Text size="sm" c="dimmed" aria-live="polite">
            {text.total(total)}
          </Text>
          <VirtualTable label={text.title} columns={columnsFor(setOpened)} rows={rows} maxHeight={420} />
        </>
      )}
      <DeliveryDialog delivery={opened} onClose={() => setOpened(undefined)} />
    </>
  );
}

function columnsFor(open: (delivery: Delivery) => void): readonly TableColumn<Delivery>[] {
  const { columns } = text;
  return [
    {
      key: 'id',
      title: columns.id,
      width: 100,
      cell: (delivery) => (
        <Button size="compact-sm" variant="default" aria-label={text.show(delivery.id)} onClick={() => open(delivery)}>
          {delivery.id}
        </Button>
      ),
    },
    { key: 'time', title: columns.time, width: 190, cell: ({ created_at }) => <Time value={created_at} /> },
    { key: 'status', title: columns.status, width: 150, cell: ({ status }) => <DeliveryStatus status={status} /> },
    { key: 'sender', title: columns.sender, width: 130, cell: ({ source_ip }) => source_ip },
    { key: 'error', title: columns.error, width: 200, cell: ({ error_message }) => error_message ?? en.none },
    { key: 'payload', title: columns.payload, width: 260, cell: ({ payload }) => payload.slice(0, shownLength) },
  ];
}
