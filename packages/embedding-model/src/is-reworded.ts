import type { MemoryEvent } from '@mneme/contracts';
import type { EventStore, Recorded } from '@mneme/event-store';

/** Whether a unit was reworded again after an event, so that its late vector would be one of a former text. */
export async function isReworded(
  store: Pick<EventStore<MemoryEvent>, 'load'>,
  event: Recorded<MemoryEvent>,
): Promise<boolean> {
  if (!isRewording(event)) return false;
  const { events } = await store.load(event.subject);
  return events.some((each) => isRewording(each) && each.position.sequence > event.position.sequence);
}

function isRewording({ type, data }: MemoryEvent): boolean {
  return type === 'UnitCorrected' || (type === 'OpinionRevised' && data.vector !== null);
}
