import { documentKey, type RecordedFact } from '@mneme/contracts';
import { isCurrentVersion, replaceDocument } from '../documents/projection.ts';
import { changeOperation, completeOperation } from '../operations/projection.ts';
import { type StoredOperation, type Unit, unitId } from '../read-model/rows.ts';
import type { RecordedOf, WorkingSet } from '../read-model/working-set.ts';
import { startOf } from './shown-units.ts';
import { contextWords, tokensOf, unitWords } from './text.ts';

/** Creates units of the facts of one part of a batch; the last part completes the operation. */
export function onFactsExtracted(set: WorkingSet, event: RecordedOf<'FactsExtracted'>): void {
  const { operationId, documentId, part, parts } = event.data;
  const operation = set.operations.get(operationId);
  if (!operation) return;
  if (part === 0 && documentId !== null) replaceDocument(set, operation, documentId);
  if (documentId === null || isCurrentVersion(set, operation, documentId)) addUnits(set, event, operation);
  if (part === parts - 1) completeOperation(set, event);
}

export function onUnitForgotten(set: WorkingSet, event: RecordedOf<'UnitForgotten'>): void {
  const { unitId: id } = event.data;
  set.newUnits.delete(id);
  set.goneUnits.add(id);
}

function addUnits(set: WorkingSet, event: RecordedOf<'FactsExtracted'>, operation: StoredOperation): void {
  const { facts, firstFact, embeddingModel } = event.data;
  const contextOf = contextsOf(event.data);
  for (const [index, fact] of facts.entries()) {
    const unit = newUnit(event, operation, { ...fact, fact: firstFact + index }, contextOf(fact.item));
    set.newUnits.set(unit._id, { unit, vector: fact.vector, embeddingModel });
  }
  changeOperation(set, event, { unitsCreated: operation.unitsCreated + facts.length });
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
  { _id: operationId, space, agentKey, agentId, documentId }: StoredOperation,
  { text, source, factType, entities, eventDate, fact }: RecordedFact & { readonly fact: number },
  context: ItemContext,
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
    source: source ?? null,
    context: context.start,
    factType,
    entities,
    eventDate: new Date(eventDate),
    // Assigned once it is known not to repeat another unit.
    ordinal: 0,
    mentions: 1,
    confidence: null,
    tokens: tokensOf(text),
    words: unitWords(text, context.words),
    sequence: position.sequence,
    fact,
  };
}
