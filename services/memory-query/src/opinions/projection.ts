import { agentKey, type RecordedOpinion } from '@mneme/contracts';
import { touchAgent } from '../agents/projection.ts';
import type { RecordedOf } from '../projection/recorded-of.ts';
import type { Unit } from '../read-model/rows.ts';
import type { WorkingSet } from '../read-model/working-set.ts';
import { unitWords, wordsOf } from '../units/text.ts';
import { tokensOf } from '../units/tokens.ts';
import { unitId } from '../units/unit-id.ts';

/** Makes a unit of each opinion that a thought has brought. */
export function storeOpinions(set: WorkingSet, event: RecordedOf<'OpinionsFormed'>): void {
  touchAgent(set, event);
  const { opinions, embeddingModel } = event.data;
  for (const [index, opinion] of opinions.entries()) {
    const unit = opinionUnit(event, opinion, index);
    set.newUnits.set(unit._id, { unit, vector: opinion.vector, embeddingModel });
  }
}

/** A thought stands where an operation does: it tells units of one origin. */
function opinionUnit(
  { data: { space, agentId, thoughtId }, position }: RecordedOf<'OpinionsFormed'>,
  { text, confidence, entities, eventDate }: RecordedOpinion,
  fact: number,
): Unit {
  return {
    _id: unitId(thoughtId, fact),
    space,
    agentKey: agentKey({ space, agentId }),
    agentId,
    documentKey: null,
    documentId: null,
    operationId: thoughtId,
    text,
    source: null,
    context: null,
    factType: 'opinion',
    entities,
    eventDate: new Date(eventDate),
    // Given when it is clear that it makes a unit of its own.
    ordinal: 0,
    mentions: 1,
    confidence,
    tokens: tokensOf(text),
    words: wordsOf(text),
    sequence: position.sequence,
    fact,
  };
}

/**
 * Changes an opinion that is still there. One with another text takes the place of what it was, so that its links are
 * found anew; where the event says nothing of its entities, they stay.
 */
export function reviseOpinion(set: WorkingSet, event: RecordedOf<'OpinionRevised'>): void {
  const { unitId: id, text, confidence, vector, entities, embeddingModel } = event.data;
  const fresh = set.newUnits.get(id);
  const known = fresh?.unit ?? (set.goneUnits.has(id) ? undefined : set.storedOpinions.get(id));
  if (!known) return;
  if (vector !== null) {
    const words = { tokens: tokensOf(text), words: unitWords(text, wordsOfContext(known)) };
    const changed = { text, confidence, entities: entities ?? known.entities, ...words, ordinal: 0 };
    set.goneUnits.add(id);
    set.newUnits.set(id, { unit: { ...known, ...changed }, vector, embeddingModel });
  } else if (fresh) {
    set.newUnits.set(id, { ...fresh, unit: { ...known, confidence } });
  } else {
    set.confidences.set(id, confidence);
  }
}

/** The words of an opinion that its text does not have are those of the context that it was told in. */
function wordsOfContext({ text, words }: Unit): string[] {
  const ofText = new Set(wordsOf(text));
  return words.filter((word) => !ofText.has(word));
}
