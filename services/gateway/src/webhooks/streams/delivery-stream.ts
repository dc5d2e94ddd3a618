import { type DeliveryReply, webhook, webhookStreams } from '@mneme/contracts';
import { sleep } from '@mneme/workers/waits';
import { badRequest, orFail, toWireError } from '../../errors.ts';
import { defineStream, type OutgoingStream, type StreamBinding, type StreamScope } from '../../routing/bind-streams.ts';
import type { SendRequest } from '../../send-request.ts';
import { failures } from '../failures.ts';

/** How long one request for deliveries waits. After one in vain, a comment shows that the stream is alive. In milliseconds. */
const waitMs = 15_000;
/** How much later than the service itself the gateway gives up, in milliseconds. */
const graceMs = 5_000;
/** The most deliveries that are requested at once. */
const maxDeliveries = 100;
/** The pause after a request in vain, so that a service that replies at once is not asked in a loop. In milliseconds. */
const pauseMs = 500;
/** When a browser reconnects after the end of a stream, in milliseconds. */
const reconnectMs = 2_000;
/** After this time a stream ends, in milliseconds: a caller may have gone without a trace. */
const maxStreamMs = 60 * 60 * 1_000;

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Keeps a proxy from buffering events.
  'X-Accel-Buffering': 'no',
  Connection: 'close',
};

export interface DeliveryStreamDeps {
  readonly send: SendRequest;
  /** The sequence of the last event in `WEBHOOKS`. */
  readonly head: () => Promise<number>;
  /** Whether `WEBHOOKS` has an event at this sequence, or had one. */
  readonly hasReached: (sequence: number) => Promise<boolean>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The deliveries of a webhook as server-sent events, one each. */
export function deliveryStream(deps: DeliveryStreamDeps): StreamBinding {
  const open = ({ path }: { readonly path: { readonly id: number } }, scope: StreamScope) =>
    orFail(failures.listCalls, async (): Promise<OutgoingStream> => {
      const afterDeliveryId = (await readLastEventId(deps, scope.lastEventId)) ?? (await deps.head());
      const follow = follower(deps, path.id, scope);
      // Before the reply begins, so that a refusal becomes its status.
      const first = await follow(afterDeliveryId, 0);
      return { headers, chunks: events({ first, afterDeliveryId, follow }, deps.clock, scope) };
    });
  return defineStream(webhookStreams.streamCalls, open, { isEndless: true });
}

/** @throws WireError 400 when it is not an id, or beyond the end of the log, which after a restore ends earlier than it did */
async function readLastEventId({ hasReached }: DeliveryStreamDeps, header: string | undefined) {
  const id = parseLastEventId(header);
  if (id === undefined || (await hasReached(id))) return id;
  throw badRequest(
    'Invalid Last-Event-ID: there is no such delivery, which can follow a restore from a backup; connect without it to start with the next delivery',
  );
}

/** The id of a delivery is the sequence of its event in the log. */
function parseLastEventId(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined;
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId);
  throw badRequest('Last-Event-ID must be the id of a delivery');
}

/** Requests the deliveries after one, and waits for the first of them. */
type Follow = (afterDeliveryId: number, waitMs: number) => Promise<readonly DeliveryReply[]>;

function follower({ send }: DeliveryStreamDeps, webhookId: number, scope: StreamScope): Follow {
  return async (afterDeliveryId, wait) => {
    const request = { userId: scope.caller.userId, webhookId, afterDeliveryId, waitMs: wait, limit: maxDeliveries };
    return (await send(webhook.followDeliveries, request, scope, wait + graceMs)).deliveries;
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
  scope: StreamScope,
): AsyncIterable<string> {
  const endsAt = clock() + maxStreamMs;
  let lastId = afterDeliveryId;
  yield `retry: ${reconnectMs}\n\n`;
  for (let found: Next = first; found !== 'over' && clock() < endsAt; found = await next(follow, lastId, scope)) {
    const last = found.at(-1);
    if (last) {
      yield found.map(eventOf).join('');
      lastId = last.id;
    } else {
      // After a wait in vain with an id, which is no event without data: who reconnects names it, and misses nothing.
      yield found === first ? ': waiting\n\n' : `: waiting\nid: ${lastId}\n\n`;
      await sleep(pauseMs, scope.signal);
    }
  }
}

/** `over`: the caller has gone, the gateway stops, the credential has ended, or the user may not follow the webhook any more. */
type Next = readonly DeliveryReply[] | 'over';

/** No deliveries while the service is unavailable: it may be back soon. */
async function next(follow: Follow, afterDeliveryId: number, { signal, assertAdmitted }: StreamScope): Promise<Next> {
  try {
    const found = await follow(afterDeliveryId, waitMs);
    // The credential may have ended while it waited.
    await assertAdmitted();
    return found;
  } catch (error) {
    if (signal.aborted) return 'over';
    const { status } = toWireError(error);
    if ([401, 403, 404].includes(status)) return 'over';
    if (status === 503 || status === 504) return [];
    throw error;
  }
}

function eventOf(delivery: DeliveryReply): string {
  return `id: ${delivery.id}\ndata: ${JSON.stringify(delivery)}\n\n`;
}
