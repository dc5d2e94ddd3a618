import { agentKey, type RecordedOpinion } from '@mneme/contracts';
import { hasOutlivedAgent, touchAgent } from '../agents/projection.ts';
import { unitId } from '../read-model/row-ids.ts';
import type { Unit } from '../read-model/rows.ts';
import type { RecordedOf, WorkingSet } from '../read-model/working-set.ts';
import { knownUnit, reword } from '../units/reword.ts';
import { tokensOf, unitWords } from '../units/text.ts';

/** Creates a unit of each opinion that was formed with a thought. */
export function onOpinionsFormed(set: WorkingSet, event: RecordedOf<'OpinionsFormed'>): void {
  if (hasOutlivedAgent(set, event)) return;
  touchAgent(set, event);
  for (const [index, opinion] of event.data.opinions.entries()) {
    const unit = opinionUnit(event, opinion, index);
    set.newUnits.set(unit._id, { unit, vector: opinion.vector });
  }
}

/** The id of the thought takes the place of the operation's: it identifies units of one origin. */
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
    context: null,
    factType: 'opinion',
    entities,
    eventDate: new Date(eventDate),
    // Assigned once it is known not to repeat another unit.
    ordinal: 0,
    mentions: 1,
    confidence,
    tokens: tokensOf(text),
    words: unitWords(text, []),
    sequence: position.sequence,
    submitted: position.sequence,
    version: 0,
    turn: 0,
    isAppended: false,
    fact,
    passage: { first: fact, last: fact, text: null },
    item: 0,
    role: null,
    metadata: null,
    tags: [],
  };
}

/**
 * Changes an opinion that still exists. A reworded opinion replaces the former unit, so that its links are derived again;
 * if the event has no entities, the present ones stay.
 */
export function onOpinionRevised(set: WorkingSet, event: RecordedOf<'OpinionRevised'>): void {
  const { unitId: id, text, confidence, vector, entities } = event.data;
  const fresh = set.newUnits.get(id);
  const known = knownUnit(set, id);
  if (known?.factType !== 'opinion') return;
  if (vector !== null) {
    const found = { entities: entities ?? known.entities, vector };
    reword(set, { ...known, reworded: event.position.sequence }, { text, confidence, ...found, isKept: false });
  } else if (fresh) {
    set.newUnits.set(id, { ...fresh, unit: { ...known, confidence } });
  } else {
    set.confidences.set(id, confidence);
  }
}
