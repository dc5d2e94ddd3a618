import type { Entity } from '@mneme/contracts';
import type { Unit } from '../read-model/rows.ts';
import type { WorkingSet } from '../read-model/working-set.ts';
import { splitWords, tokensOf, unitWords, wordsOf } from './text.ts';

/** What replaces the text of a unit, with its vector as the event holds it. */
export interface Rewording {
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly confidence: number | null;
  readonly vector: string;
  /** Whether the unit stays one of its own, also if it now repeats another. */
  readonly isKept: boolean;
}

/** A reworded unit replaces the former one, so that its links are derived again. */
export function reword(set: WorkingSet, unit: Unit, rewording: Rewording): void {
  const { vector, ...change } = rewording;
  const words = { tokens: tokensOf(change.text), words: unitWords(change.text, wordsOfContext(unit)) };
  markPassage(set, unit);
  set.goneUnits.add(unit._id);
  set.newUnits.set(unit._id, { unit: { ...unit, ...change, ...words, ordinal: 0 }, vector });
}

/** The unit as the events before have left it; undefined when it no longer exists. */
export function knownUnit(set: WorkingSet, id: string): Unit | undefined {
  return set.newUnits.get(id)?.unit ?? (set.goneUnits.has(id) ? undefined : set.storedUnits.get(id));
}

/** The passage of a unit that changes has another text afterwards. */
export function markPassage(set: WorkingSet, { operationId, passage: { first, last } }: Unit): void {
  set.changedPassages.set(`${operationId}:${first}`, { operationId, first, last });
}

/** The words of the context as far as units keep it, and those of the rest that are not in the text as well. */
function wordsOfContext({ text, context, words }: Unit): string[] {
  const ofText = new Set(wordsOf(text));
  return [...wordsOf(context), ...splitWords(words).filter((word) => !ofText.has(word))];
}
