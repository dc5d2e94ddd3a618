import { agentKey, documentKey, type MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { documentRowId } from '../read-model/row-ids.ts';

/** Events that are applied together. */
export type Segment = readonly Recorded<MemoryEvent>[];

/**
 * Cuts a batch of events before each event that removes something stored, because what is derived after it must not see it
 * any more. In a segment only the first event can remove anything, an erasure of an agent is a segment of its own, and so
 * are vectors of stored units, which are compared in the order of the log. A segment is also cut when it has many facts.
 * @param isStored whether a document is in the read model, by its row id
 */
export function segmentsOf(
  events: readonly Recorded<MemoryEvent>[],
  isStored: (documentRowId: string) => boolean,
): Segment[] {
  const stored = new Set<string>();
  const groups: Recorded<MemoryEvent>[][] = [];
  for (const event of events) {
    const document = storedBy(event);
    const replaces = document !== undefined && !isAppend(event) && (isStored(document) || stored.has(document));
    const removesStored = document === undefined ? removes(event) : replaces;
    const group = groups.at(-1);
    if (!group || removesStored || isFull(group, event) || !canFollow(group[0]?.type, event.type)) groups.push([event]);
    else group.push(event);
    if (document !== undefined) stored.add(document);
  }
  return groups.length === 0 ? [[]] : groups;
}

function canFollow(first: MemoryEvent['type'] | undefined, next: MemoryEvent['type']): boolean {
  return first !== 'AgentErased' && (first === 'VectorsAdded') === (next === 'VectorsAdded');
}

/** The most facts in one transaction; each has about a dozen links, and MongoDB's cache must hold them all. */
const maxFacts = 250;

function isFull(group: readonly MemoryEvent[], next: MemoryEvent): boolean {
  const facts = group.reduce((sum, event) => sum + factsOf(event), 0);
  return facts > 0 && facts + factsOf(next) > maxFacts;
}

function factsOf(event: MemoryEvent): number {
  if (event.type === 'VectorsAdded') return event.data.vectors.length;
  return event.type === 'FactsExtracted' ? event.data.facts.length : 0;
}

/** What is appended to a document removes nothing. */
function isAppend(event: MemoryEvent): boolean {
  return event.type === 'FactsExtracted' && event.data.mode === 'append';
}

/** The row id of the document of which an event stores a version, or to which it appends. */
export function storedBy(event: MemoryEvent): string | undefined {
  if (event.type !== 'FactsExtracted' || event.data.documentId === null || event.data.part !== 0) return undefined;
  return documentRowId(agentKey(event.data), documentKey(event.data.documentId));
}

/** The documents that get facts, by row id. */
export function documentsIn(segment: Segment): readonly { readonly id: string; readonly facts: number }[] {
  return segment.flatMap((event) => {
    if (event.type !== 'FactsExtracted' || event.data.documentId === null) return [];
    return { id: documentRowId(agentKey(event.data), documentKey(event.data.documentId)), facts: factsOf(event) };
  });
}

/** A reworded opinion and a corrected unit replace the former unit. */
function removes({ type, data }: MemoryEvent): boolean {
  if (type === 'OpinionRevised') return data.vector !== null;
  return type === 'UnitForgotten' || type === 'UnitCorrected' || type === 'DocumentDeleted' || type === 'AgentErased';
}
