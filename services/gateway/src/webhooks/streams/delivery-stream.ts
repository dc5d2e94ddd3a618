import { setTimeout as delay } from 'node:timers/promises';
import { type DeliveryReply, WireError, webhook, webhookStreams } from '@mneme/contracts';
import { orFail } from '../../calls/or-fail.ts';
import type { ServiceCall } from '../../calls/service-calls.ts';
import { defineStream, type OutgoingStream, type StreamBinding, type StreamScope } from '../../http/bind-stream.ts';
import { failures } from '../failures.ts';

/** How long one question for calls waits; when it was in vain, a comment shows that the stream is alive. In milliseconds. */
const waitMs = 15_000;
/** How much later than the service itself the gateway gives up, in milliseconds. */
const graceMs = 5_000;
/** How many calls are asked for at once, at most. */
const pieceDeliveries = 100;
/** When to ask again after nothing came, so that a service that answers at once is not asked without end. In milliseconds. */
const pauseMs = 500;
/** How soon a browser comes back when a stream ends, in milliseconds. */
const comeBackMs = 2_000;
/** After which a stream ends, so that the credential is looked at again, in milliseconds. */
const longestMs = 60 * 60 * 1_000;

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Keeps a proxy from holding events back until they are many.
  'X-Accel-Buffering': 'no',
  Connection: 'close',
};

export interface DeliveryStreamDeps {
  readonly call: ServiceCall;
  /** The sequence of the last event in `WEBHOOKS`. */
  readonly head: () => Promise<number>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The calls of a webhook as server-sent events, one each. */
export function deliveryStream(deps: DeliveryStreamDeps): StreamBinding {
  return defineStream(webhookStreams.streamCalls, ({ path }, scope) =>
    orFail(failures.listDeliveries, async (): Promise<OutgoingStream> => {
      const afterDeliveryId = parseLastEventId(scope.lastEventId) ?? (await deps.head());
      const follow = follower(deps, path.id, scope);
      // Before the answer begins, so that whoever may not follow is told so.
      const first = await follow(afterDeliveryId, 0);
      return { headers, chunks: events({ first, afterDeliveryId, follow }, deps.clock, scope.signal) };
    }),
  );
}

/** The number of a call is the sequence of its event in the log. */
function parseLastEventId(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined;
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId);
  throw new WireError({ status: 400, code: 'BAD_REQUEST', message: 'Last-Event-ID has to be the number of a call' });
}

/** Asks for the calls after one, and waits for the first of them. */
type Follow = (afterDeliveryId: number, waitMs: number) => Promise<readonly DeliveryReply[]>;

function follower({ call }: DeliveryStreamDeps, webhookId: number, scope: StreamScope): Follow {
  return async (afterDeliveryId, wait) => {
    const request = { userId: scope.caller.userId, webhookId, afterDeliveryId, waitMs: wait, limit: pieceDeliveries };
    return (await call(webhook.followDeliveries, request, scope, wait + graceMs)).deliveries;
  };
}

interface Beginning {
  readonly first: readonly DeliveryReply[];
  readonly afterDeliveryId: number;
  readonly follow: Follow;
}

async function* events(
  { first, afterDeliveryId, follow }: Beginning,
  clock: () => number,
  signal: AbortSignal,
): AsyncIterable<string> {
  const endsAt = clock() + longestMs;
  yield `retry: ${comeBackMs}\n\n`;
  let lastId = afterDeliveryId;
  for (let calls: Next = first; calls !== 'over' && clock() < endsAt; calls = await next(follow, lastId, signal)) {
    const last = calls.at(-1);
    if (last) {
      yield calls.map(eventOf).join('');
      lastId = last.id;
    } else {
      yield ': waiting\n\n';
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** `over`: the caller or the gateway goes, or the webhook may not be followed any more. */
type Next = readonly DeliveryReply[] | 'over';

/** None while the service is away: it may be back soon. */
async function next(follow: Follow, afterDeliveryId: number, signal: AbortSignal): Promise<Next> {
  try {
    return await follow(afterDeliveryId, waitMs);
  } catch (error) {
    if (signal.aborted) return 'over';
    if (!(error instanceof WireError)) throw error;
    if (error.status === 404) return 'over';
    if (error.status === 503 || error.status === 504) return [];
    throw error;
  }
}

function eventOf(call: DeliveryReply): string {
  return `id: ${call.id}\ndata: ${JSON.stringify(call)}\n\n`;
}
