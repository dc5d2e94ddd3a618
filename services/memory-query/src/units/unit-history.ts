import { type FormerText, type MemoryEventOf, maxShownChanges } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { unitId } from '../read-model/row-ids.ts';
import { type Creation, provenanceOf, sourceEvent } from './unit-origin.ts';

/** An event that changes the text or the confidence of a unit. */
export type UnitChange = Recorded<MemoryEventOf<'UnitCorrected' | 'OpinionRevised'>>;

/** What is kept of the changes of a unit, which come oldest first. */
export interface ChangesFold<T> {
  readonly none: T;
  readonly add: (changes: T, event: UnitChange) => T;
}

/** A change to an opinion, with the ids of the units that led to it. */
export interface OpinionStep {
  readonly change: 'formed' | 'raise' | 'lower' | 'rewrite';
  readonly event: FormerText['event'];
  readonly before: number | null;
  readonly after: number | null;
  readonly facts: readonly string[];
}

/** What the log says of a unit after it was created; only the newest changes are kept. */
export interface UnitChanges {
  /** One more than are shown, since each ends what the one before began. */
  readonly texts: readonly { readonly text: string; readonly event: Omit<FormerText, 'text' | 'until'> }[];
  readonly revisions: readonly Omit<OpinionStep, 'before'>[];
}

export const unitChanges: ChangesFold<UnitChanges> = { none: { texts: [], revisions: [] }, add: withChange };

function withChange({ texts, revisions }: UnitChanges, event: UnitChange): UnitChanges {
  const isReworded = event.type === 'UnitCorrected' || event.data.vector !== null;
  const text = { text: event.data.text, event: provenanceOf(event) };
  return {
    texts: isReworded ? newest([...texts, text], maxShownChanges + 1) : texts,
    revisions:
      event.type === 'OpinionRevised' ? newest([...revisions, revisionOf(event)], maxShownChanges + 1) : revisions,
  };
}

function revisionOf(event: Recorded<MemoryEventOf<'OpinionRevised'>>): Omit<OpinionStep, 'before'> {
  const { verdict, confidence, facts } = event.data;
  const ids = facts?.indexes.map((index) => unitId(facts.operationId, index)) ?? [];
  return { change: verdict, event: sourceEvent(event), after: confidence, facts: ids };
}

/** The texts that a unit had before its present one, the oldest first. */
export function formerTexts({ texts }: UnitChanges, creation: Creation | undefined): FormerText[] {
  const first = texts.length > maxShownChanges ? undefined : creation?.text;
  const former = texts.map(({ event }, index) => {
    const text = index === 0 ? first : texts[index - 1]?.text;
    return text === undefined ? [] : [{ text, until: event.event.time, ...event }];
  });
  return former.flat();
}

/**
 * How an opinion was formed and revised, the oldest first.
 * @param basedOn the ids of the units that the answer was based on which formed it
 */
export function opinionSteps(
  { revisions }: UnitChanges,
  creation: Creation | undefined,
  basedOn: readonly string[],
): OpinionStep[] {
  const steps: OpinionStep[] = revisions.map((step, index) => {
    const before = index === 0 ? (creation?.confidence ?? null) : (revisions[index - 1]?.after ?? null);
    return { ...step, before };
  });
  if (creation) {
    const { event, confidence } = creation;
    steps.unshift({ change: 'formed', event: sourceEvent(event), before: null, after: confidence, facts: basedOn });
  }
  return newest(steps, maxShownChanges);
}

function newest<T>(items: readonly T[], most: number): T[] {
  return items.slice(-most);
}
