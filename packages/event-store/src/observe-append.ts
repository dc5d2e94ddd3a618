import { type EventsAppended, eventsAppended, inSpan } from '@mneme/telemetry';
import { ConflictError, EventLogUnavailableError } from './errors.ts';
import type { Position } from './recorded.ts';

type About = Pick<EventsAppended, 'service' | 'stream' | 'types'>;

/** Appends within a span, which the appended events name as what they follow from, and measures it. */
export function observeAppend(about: About, append: () => Promise<Position>): Promise<Position> {
  const attributes = {
    'messaging.system': 'nats',
    'messaging.destination.name': about.stream,
    'mneme.event.types': [...new Set(about.types)],
  };
  return inSpan(`append ${about.stream}`, { by: about.service, kind: 'PRODUCER', attributes }, async (span) => {
    const position = await measure(about, append);
    span.setAttribute('mneme.event.sequence', position.sequence);
    return position;
  });
}

async function measure<T>(about: About, append: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  let outcome: EventsAppended['outcome'] = 'failed';
  let isAway = false;
  try {
    const appended = await append();
    outcome = 'appended';
    return appended;
  } catch (error) {
    if (error instanceof ConflictError) outcome = 'conflict';
    isAway = error instanceof EventLogUnavailableError;
    throw error;
  } finally {
    eventsAppended.publish({ ...about, outcome, isAway, seconds: (performance.now() - startedAt) / 1_000 });
  }
}
