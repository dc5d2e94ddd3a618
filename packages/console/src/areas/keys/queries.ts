import type { ApiKey } from '@mneme/client';
import { queryOptions } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';

export function keysQuery(projectId: number) {
  return queryOptions({
    queryKey: ['keys', projectId],
    queryFn: ({ signal }) => mneme.keys.list(projectId, { signal }),
  });
}

export type UsageBucket = 'hour' | 'day';

export function usageQuery(projectId: number, keyId: number, bucket: UsageBucket) {
  return queryOptions({
    queryKey: ['keys', 'usage', keyId, bucket],
    queryFn: ({ signal }) => mneme.keys.usage(keyId, { projectId, bucket, signal }),
    refetchInterval: 10_000,
  });
}

type KeyState = 'active' | 'inactive' | 'expired';

/** @param now milliseconds since 1970 */
export function stateOf({ is_active, expires_at }: ApiKey, now: number): KeyState {
  if (expires_at !== null && Date.parse(expires_at) <= now) return 'expired';
  return is_active ? 'active' : 'inactive';
}
