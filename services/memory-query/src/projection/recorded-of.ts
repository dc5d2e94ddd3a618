import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';

/** An event with where and when it was recorded. */
export type RecordedOf<T extends MemoryEvent['type']> = Recorded<MemoryEventOf<T>>;
