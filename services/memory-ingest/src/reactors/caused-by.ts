import type { EventContext, EventRecord } from '@mneme/event-store';

/** The context of the events that follow from a recorded event. */
export function causedBy({ correlationId, id, actor }: EventRecord): EventContext {
  return { correlationId, causationId: id, ...(actor !== undefined && { actor }) };
}
