import { documentKey, type RecordedFact } from '@mneme/contracts';
import { versionOf } from '../documents/projection.ts';
import { lateUnitIds, unitId } from '../read-model/row-ids.ts';
import type { StoredOperation, Unit } from '../read-model/rows.ts';
import type { RecordedOf, WorkingSet } from '../read-model/working-set.ts';
import { alone, passagesOf } from './passages.ts';
import { knownUnit, markPassage, reword } from './reword.ts';
import { settingsOf } from './setting.ts';
import { startOf } from './shown-units.ts';
import { tagsOf } from './tags.ts';
import { contextWords, tokensOf, unitWords } from './text.ts';

/** Creates units of the facts of one part of a batch. */
export function addUnits(set: WorkingSet, event: RecordedOf<'FactsExtracted'>, operation: StoredOperation): void {
  const { facts, firstFact } = event.data;
  const contextOf = contextsOf(event.data);
  const detailsOf = itemDetails(event.data);
  const passages = passagesOf(facts, firstFact);
  const settings = settingsOf(facts, passages, event.data.contexts);
  const version = versionOf(set, operation);
  for (const [index, fact] of facts.entries()) {
    const passage = passages[index] ?? alone(firstFact + index);
    const place = { fact: firstFact + index, passage, setting: settings[index] ?? null };
    const known = { ...contextOf(fact.item), ...detailsOf(fact.item) };
    const tokens = set.tokens.get(fact.text) ?? tokensOf(fact.text);
    const unit = newUnit(event, operation, { ...fact, ...place }, { ...known, version, tokens });
    set.newUnits.set(unit._id, { unit, vector: fact.vector });
  }
}

/** Gives units their vectors; those that were removed meanwhile stay undefined. Vectors of a former text are of no use. */
export function onVectorsAdded(set: WorkingSet, event: RecordedOf<'VectorsAdded'>): void {
  const { vectors, of } = event.data;
  for (const [index, id] of lateUnitIds(event.data).entries()) {
    const unit = set.lateVectors.get(id)?.unit;
    if (of < (unit?.reworded ?? 0)) continue;
    // The order of units is that of the vectors that count.
    set.lateVectors.delete(id);
    set.lateVectors.set(id, { unit, vector: vectors[index] ?? '' });
  }
}

export function onUnitForgotten(set: WorkingSet, event: RecordedOf<'UnitForgotten'>): void {
  const { unitId: id } = event.data;
  const known = knownUnit(set, id);
  if (known) markPassage(set, known);
  set.newUnits.delete(id);
  set.goneUnits.add(id);
}

/** A corrected unit that no longer exists stays gone. */
export function onUnitCorrected(set: WorkingSet, event: RecordedOf<'UnitCorrected'>): void {
  const { unitId: id, text, entities, vector } = event.data;
  const known = knownUnit(set, id);
  if (!known) return;
  const { confidence } = known;
  const reworded = event.position.sequence;
  reword(set, { ...known, reworded }, { text, entities, confidence, vector, isKept: true });
}

type KnownDetails = Pick<Unit, 'role' | 'metadata' | 'tags'>;
type Counted = Pick<Unit, 'version' | 'tokens'>;

const noDetails: KnownDetails = { role: null, metadata: null, tags: [] };

/** Computed once for each item, however many facts it has. */
function itemDetails({ items = {} }: RecordedOf<'FactsExtracted'>['data']): (item: number) => KnownDetails {
  const known = new Map<string, KnownDetails>();
  for (const [item, { role = null, metadata }] of Object.entries(items)) {
    const ofMetadata = metadata ? { metadata: JSON.stringify(metadata), tags: tagsOf(metadata) } : {};
    known.set(item, { ...noDetails, role, ...ofMetadata });
  }
  return (item) => known.get(String(item)) ?? noDetails;
}

/** The part of an item's context that its units keep. */
interface ItemContext {
  readonly start: string | null;
  readonly words: readonly string[];
}

const noContext: ItemContext = { start: null, words: [] };

/** Computed once for each item, however many facts it has. */
function contextsOf({ facts, contexts }: RecordedOf<'FactsExtracted'>['data']): (item: number) => ItemContext {
  const factsByItem = Map.groupBy(facts, ({ item }) => item);
  const kept = new Map<number, ItemContext>();
  for (const [item, { length }] of factsByItem) {
    const context = contexts[item];
    if (context !== undefined) kept.set(item, { start: startOf(context), words: contextWords(context, length) });
  }
  return (item) => kept.get(item) ?? noContext;
}

function newUnit(
  { position }: RecordedOf<'FactsExtracted'>,
  { _id: operationId, space, agentKey, agentId, documentId, turn, mode, submittedSequence }: StoredOperation,
  {
    text,
    factType,
    entities,
    eventDate,
    item,
    fact,
    passage,
    setting,
  }: RecordedFact & Pick<Unit, 'fact' | 'passage' | 'setting'>,
  { start, words, ...details }: ItemContext & KnownDetails & Counted,
): Unit {
  return {
    _id: unitId(operationId, fact),
    space,
    agentKey,
    agentId,
    documentKey: documentId === null ? null : documentKey(documentId),
    documentId,
    operationId,
    text,
    context: start,
    factType,
    entities,
    eventDate: new Date(eventDate),
    // Assigned once it is known not to repeat another unit.
    ordinal: 0,
    mentions: 1,
    confidence: null,
    words: unitWords(text, words),
    sequence: position.sequence,
    submitted: submittedSequence,
    turn,
    isAppended: mode === 'append',
    fact,
    passage,
    ...(setting && { setting }),
    item,
    ...details,
  };
}
