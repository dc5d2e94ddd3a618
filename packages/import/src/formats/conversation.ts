import type { Item } from '@mneme/client';
import { documentFound, type Found, faultFound, leftOut } from '../found.ts';
import { type Candidate, toItems } from '../items.ts';

export interface Turn extends Candidate {
  readonly place: string;
}

export interface Conversation {
  readonly id: string;
  readonly place: string;
  readonly turns: Iterable<Turn>;
}

/** A conversation as a document. A turn that cannot be stored is named, and the others are. */
export function* readConversation({ id, place, turns }: Conversation): Iterable<Found> {
  const items: Item[] = [];
  for (const turn of turns) {
    try {
      items.push(...toItems(turn));
    } catch (error) {
      yield faultFound(turn.place, (error as Error).message);
    }
  }
  yield items.length === 0 ? leftOut : documentFound({ id, place, items });
}
