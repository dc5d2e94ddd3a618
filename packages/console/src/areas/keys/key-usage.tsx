import { Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { lazyComponent } from '../../app/load-code.ts';
import { Loading } from '../../components/loading.tsx';
import { ProblemAlert } from '../../components/problem.tsx';
import { en } from '../../text/en.ts';
import { type UsageBucket, usageQuery } from './queries.ts';

interface KeyUsageProps {
  readonly projectId: number;
  readonly keyId: number;
}

const text = en.keys.usage;
const buckets: readonly UsageBucket[] = ['hour', 'day'];
const UsageChart = lazyComponent(() => import('./usage-chart.tsx'), 'UsageChart');
const formats = {
  hour: new Intl.DateTimeFormat(en.locale, { timeStyle: 'short' }),
  // Days are those of UTC.
  day: new Intl.DateTimeFormat(en.locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
} as const;

/** How often a key was used, and how often beyond its limit. */
export function KeyUsage({ projectId, keyId }: KeyUsageProps) {
  const [bucket, setBucket] = useState<UsageBucket>('hour');
  const { data, isPending, isError, error, refetch } = useQuery(usageQuery(projectId, keyId, bucket));
  const points = data?.points ?? [];
  const requests = points.reduce((sum, point) => sum + point.requests, 0);
  const refused = points.reduce((sum, point) => sum + point.refused, 0);
  const bars = points.map((point) => ({
    time: formats[bucket].format(new Date(point.start)),
    requests: point.requests,
    refused: point.refused,
  }));
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2}>{text.title}</Title>
        <SegmentedControl
          aria-label={text.bucket}
          data={buckets.map((value) => ({ value, label: text.buckets[value] }))}
          value={bucket}
          onChange={(value) => setBucket(value as UsageBucket)}
        />
      </Group>
      {isError && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && <Text size="sm">{requests + refused === 0 ? text.none : text.picture(requests, refused)}</Text>}
      {data && requests + refused > 0 && (
        <Suspense fallback={<Loading />}>
          <UsageChart label={text.picture(requests, refused)} bars={bars} />
        </Suspense>
      )}
    </Stack>
  );
}
