import type { Item } from '@mneme/client';
import { documentFound, type Found, faultFound, leftOut } from '../found.ts';
import { type Candidate, toItems } from '../items.ts';

export interface Turn extends Candidate {
  readonly place: string;
}

/** A message that could not be read. */
export interface UnreadableTurn {
  readonly place: string;
  readonly fault: string;
}

export interface Conversation {
  readonly id: string;
  readonly place: string;
  readonly turns: Iterable<Turn | UnreadableTurn>;
}

/** A conversation as a document. A turn that cannot be stored is named, and the others are. */
export function* readConversation({ id, place, turns }: Conversation): Iterable<Found> {
  const items: Item[] = [];
  let hasFault = false;
  for (const turn of turns) {
    if ('fault' in turn) {
      hasFault = true;
      yield faultFound(turn.place, turn.fault);
      continue;
    }
    try {
      items.push(...toItems(turn));
    } catch (error) {
      hasFault = true;
      yield faultFound(turn.place, (error as Error).message);
    }
  }
  if (items.length > 0) yield documentFound({ id, place, items });
  else if (!hasFault) yield leftOut;
}
