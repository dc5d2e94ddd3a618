import { MnemeError } from '@mneme/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { mneme } from '../../app/client.ts';

export type LiveState = 'connecting' | 'live' | 'broken';

/** How long to wait before another try, in milliseconds. */
const pauseMs = 5_000;
/** How often what is shown follows a storm of deliveries, in milliseconds. */
const refreshMs = 500;

/** Has the deliveries of a webhook read again whenever one is processed. */
export function useLiveDeliveries(webhookId: number): LiveState {
  const queryClient = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(() => {
    const ended = new AbortController();
    let refreshing: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      refreshing = undefined;
      void queryClient.invalidateQueries({ queryKey: ['webhooks'] });
    };
    const follow = async () => {
      const { signal } = ended;
      const { logs } = await mneme.webhooks.logPage(webhookId, { limit: 1, signal });
      setState('live');
      for await (const _ of mneme.webhooks.deliveries(webhookId, { after: logs[0]?.id ?? 0, signal })) {
        refreshing ??= setTimeout(refresh, refreshMs);
      }
    };
    const stay = async () => {
      while (!ended.signal.aborted) {
        try {
          await follow();
        } catch (error) {
          if (ended.signal.aborted) return;
          setState('broken');
          // What is gone or forbidden stays so.
          if (error instanceof MnemeError && [401, 403, 404].includes(error.status)) return;
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        refresh();
      }
    };
    void stay();
    return () => {
      ended.abort();
      clearTimeout(refreshing);
    };
  }, [webhookId, queryClient]);
  return state;
}
