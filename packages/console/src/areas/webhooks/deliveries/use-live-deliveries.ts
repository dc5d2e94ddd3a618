import { MnemeError } from '@mneme/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { mneme } from '../../../app/client.ts';
import { noteFault } from '../../../app/query-client.ts';
import { useIsOver } from '../../../app/session/identity.ts';
import { createReading } from '../../../components/refresh/use-refresh-on.ts';
import { whileVisible } from '../../../components/refresh/while-visible.ts';
import { allDeliveriesKey } from '../queries.ts';

type LiveState = 'connecting' | 'live' | 'broken';

/** How long to wait before another try, in milliseconds. */
const pauseMs = 5_000;
/** The least time between two readings of the deliveries, in milliseconds. */
const refreshMs = 500;

/** Has the deliveries of a webhook read again whenever one is processed, while the page can be seen. */
export function useLiveDeliveries(webhookId: number): LiveState {
  const queryClient = useQueryClient();
  const isOver = useIsOver();
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(() => {
    if (isOver) return;
    const refresh = createReading(queryClient, allDeliveriesKey(webhookId), refreshMs);
    const end = whileVisible(document, () => {
      const ended = new AbortController();
      void stay({ webhookId, signal: ended.signal, onState: setState, onChange: refresh.request });
      return () => ended.abort();
    });
    return () => {
      end();
      refresh.end();
    };
  }, [webhookId, isOver, queryClient]);
  return state;
}

interface Staying {
  readonly webhookId: number;
  readonly signal: AbortSignal;
  readonly onState: (state: LiveState) => void;
  /** Called when deliveries may have changed. */
  readonly onChange: () => void;
}

/** Follows the deliveries across broken connections. */
async function stay(staying: Staying): Promise<void> {
  const { signal, onState } = staying;
  for (;;) {
    try {
      await follow(staying);
    } catch (error) {
      if (signal.aborted) return;
      onState('broken');
      noteFault(error);
      // What is gone or forbidden stays so.
      if (error instanceof MnemeError && [401, 403, 404].includes(error.status)) return;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (signal.aborted) return;
  }
}

async function follow({ webhookId, signal, onState, onChange }: Staying): Promise<void> {
  const { logs } = await mneme.webhooks.logPage(webhookId, { limit: 1, signal });
  // For deliveries that arrived while the stream was not followed.
  onChange();
  let wasBroken = false;
  const onConnection = (error: MnemeError | undefined) => {
    onState(error ? 'broken' : 'live');
    // A stream that only broke off, as some proxies cut it, does not mean that the server cannot be reached.
    if (wasBroken) noteFault(error);
    wasBroken = error !== undefined;
  };
  const after = logs[0]?.id ?? 0;
  for await (const _ of mneme.webhooks.deliveries(webhookId, { after, signal, onConnection })) onChange();
}
