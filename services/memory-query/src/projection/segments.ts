import { agentKey, documentKey, type MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { documentRowId } from '../read-model/rows.ts';

/** Some events that are applied together. */
export type Segment = readonly Recorded<MemoryEvent>[];

/**
 * Cuts events where something stored goes: what is derived after it must not see it any more. In a segment only the first
 * event can take anything away, and one that takes all of an agent stands alone. Many facts are cut as well.
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
    const takesAway = document === undefined ? removes(event) : isStored(document) || stored.has(document);
    if (takesAway || isFull(groups.at(-1), event) || groups.length === 0 || groups.at(-1)?.[0]?.type === 'AgentErased')
      groups.push([]);
    groups.at(-1)?.push(event);
    if (document !== undefined) stored.add(document);
  }
  return groups.length === 0 ? [[]] : groups;
}

/** So many facts are written in one transaction; each brings a dozen links, and the store's cache must hold them all. */
const maxFacts = 250;

function isFull(group: readonly Recorded<MemoryEvent>[] | undefined, next: MemoryEvent): boolean {
  const facts = (group ?? []).reduce((sum, event) => sum + factsOf(event), 0);
  return facts > 0 && facts + factsOf(next) > maxFacts;
}

function factsOf(event: MemoryEvent): number {
  return event.type === 'FactsExtracted' ? event.data.facts.length : 0;
}

/** The document that an event stores a version of. */
export function storedBy(event: MemoryEvent): string | undefined {
  if (event.type !== 'FactsExtracted' || event.data.documentId === null || event.data.part !== 0) return undefined;
  return documentRowId(agentKey(event.data), documentKey(event.data.documentId));
}

/** An opinion that is put in other words takes the place of what it was. */
function removes({ type, data }: MemoryEvent): boolean {
  if (type === 'OpinionRevised') return data.vector !== null;
  return type === 'UnitForgotten' || type === 'DocumentDeleted' || type === 'AgentErased';
}
