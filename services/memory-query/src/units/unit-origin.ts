import { type MemoryEvent, memoryEvents, type Origin, type SourceEvent } from '@mneme/contracts';
import { decodeEvent, type EventRecord, type Recorded, type StoredMessage } from '@mneme/event-store';
import type { Unit } from '../read-model/rows.ts';

/** The event that created a unit, and what it says about it. */
export interface Creation {
  readonly event: Recorded<MemoryEvent>;
  readonly origin: Origin;
  /** The first text of the unit. */
  readonly text: string | undefined;
  readonly confidence: number | null;
  /** The index of the item that it was extracted from; null for an opinion that an answer formed. */
  readonly item: number | null;
  /** The whole context of that item; units store its beginning. */
  readonly context: string | null;
}

/** @returns undefined when the message that should hold the event is gone, or belongs to something else */
export function creationOf(
  { operationId, fact }: Pick<Unit, 'operationId' | 'fact'>,
  message: StoredMessage | undefined,
): Creation | undefined {
  if (!message) return undefined;
  const event = decodeEvent(memoryEvents, message);
  if (event.type === 'FactsExtracted' && event.data.operationId === operationId) {
    const found = event.data.facts[fact - event.data.firstFact];
    const origin = { ...provenanceOf(event), operation_id: operationId };
    const item = found?.item ?? null;
    const context = item === null ? null : (event.data.contexts[item] ?? null);
    return { event, origin, text: found?.text, confidence: null, item, context };
  }
  if (event.type !== 'OpinionsFormed' || event.data.thoughtId !== operationId) return undefined;
  const { text, confidence = null } = event.data.opinions[fact] ?? {};
  return { event, origin: { ...provenanceOf(event), operation_id: null }, text, confidence, item: null, context: null };
}

/** The event, and the request and the caller that led to it; null for what events of earlier releases do not say. */
export function provenanceOf(event: EventRecord & { readonly type: string }): Omit<Origin, 'operation_id'> {
  const { correlationId, actor } = event;
  return {
    event: sourceEvent(event),
    request_id: correlationId === '' ? null : correlationId,
    principal: principalOf(actor),
  };
}

export function sourceEvent({ position, id, type, time }: EventRecord & { readonly type: string }): SourceEvent {
  return { stream: position.stream, sequence: position.sequence, id, type, time };
}

/** @param actor `key:12` or `user:7`, as the gateway names callers */
function principalOf(actor: string | undefined): Origin['principal'] {
  const [, kind, id] = /^(key|user):([1-9]\d{0,14})$/.exec(actor ?? '') ?? [];
  return kind === undefined ? null : { kind: kind as 'key' | 'user', id: Number(id) };
}
