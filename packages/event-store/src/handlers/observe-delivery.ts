import type { DomainEvent } from '@mneme/contracts';
import { type Handled, handled, inSpan, markFailed, type SpanOptions } from '@mneme/telemetry';
import type { Recorded } from '../recorded.ts';
import type { PulledMessage } from './pulled-message.ts';

/** One try of a handler with an event. */
export interface ObservedDelivery {
  readonly handler: string;
  readonly message: PulledMessage;
  readonly event: Recorded<DomainEvent>;
}

type Outcome = Handled['outcome'];

/** Does the work of one try within a span that continues the trace of the event, and measures it by its outcome. */
export async function observeDelivery(delivery: ObservedDelivery, work: () => Promise<Outcome>): Promise<void> {
  const startedAt = performance.now();
  const outcome = await inSpan(`handle ${delivery.event.type}`, spanOf(delivery), async (span) => {
    const result = await work();
    span.setAttribute('mneme.handler.outcome', result);
    if (result !== 'done') markFailed(span, result);
    return result;
  });
  handled.publish({ handler: delivery.handler, outcome, seconds: (performance.now() - startedAt) / 1_000 });
}

/** The traces of older events are over, in milliseconds: these are handled late, or again. */
const traceOverMs = 600_000;

function spanOf({ handler, message, event }: ObservedDelivery): SpanOptions {
  const isOver = Date.now() - message.timeMs > traceOverMs;
  return {
    by: handler,
    kind: 'CONSUMER',
    attributes: {
      'messaging.system': 'nats',
      'messaging.destination.name': message.stream,
      'mneme.event.sequence': message.sequence,
      'mneme.event.deliveries': message.deliveryCount,
    },
    begins: true,
    parent: isOver ? null : (event.traceparent ?? null),
    link: isOver ? event.traceparent : undefined,
  };
}

/** What the log says of an event that could not be handled; `requestId` is that of the request which it goes back to. */
export function aboutDelivery({ handler, message, event }: ObservedDelivery) {
  const { id, type, correlationId: requestId } = event;
  const { stream, sequence, deliveryCount: tries } = message;
  return { handler, event: id, type, stream, sequence, requestId, tries };
}
