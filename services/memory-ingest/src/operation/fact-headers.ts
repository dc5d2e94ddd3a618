import { lacksVectors, type MemoryEvent } from '@mneme/contracts';
import { attributeOf, type EventStore, type StoredMessage } from '@mneme/event-store';

/** What handlers that get only the headers of facts have to know, as names of CloudEvents extensions. */
const attributes = {
  /** The space of the agent. */
  space: 'space',
  /** `stored` when each fact has its vector. */
  vectors: 'vectors',
} as const;
const stored = 'stored';

/** Decorates the event store: facts are appended with these headers. */
export function withFactHeaders(store: EventStore<MemoryEvent>): EventStore<MemoryEvent> {
  return {
    ...store,
    append: (subject, events, expected, context) =>
      store.append(subject, events, expected, {
        ...context,
        attributes: { ...context.attributes, ...headersOf(events) },
      }),
  };
}

function headersOf(events: readonly MemoryEvent[]): Readonly<Record<string, string>> {
  const [first] = events;
  if (first?.type !== 'FactsExtracted') return {};
  const areStored = !events.some(lacksVectors);
  return { [attributes.space]: first.data.space, ...(areStored && { [attributes.vectors]: stored }) };
}

/** Undefined for events that do not tell, such as those of earlier releases. */
export function spaceIn(message: Pick<StoredMessage, 'headers'>): string | undefined {
  return attributeOf(message, attributes.space);
}

/** Whether facts were, or may have been, stored before they were embedded. */
export function mayLackVectors(message: Pick<StoredMessage, 'headers'>): boolean {
  return attributeOf(message, attributes.vectors) !== stored;
}
