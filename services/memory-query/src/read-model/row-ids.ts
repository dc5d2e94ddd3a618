import type { MemoryEventOf } from '@mneme/contracts';
import { v5 } from 'uuid';

/** The key of a document in its collection. */
export function documentRowId(agentKey: string, documentKey: string): string {
  return `${agentKey}:${documentKey}`;
}

/** The key of a turn in its collection. */
export function turnRowId(agentKey: string, documentKey: string, turn: number): string {
  return `${agentKey}:${documentKey}:${turn}`;
}

const namespace = '6f2f0a5e-2f0b-5c1c-9a39-6d6e656d6531';

/** The id of the unit that a fact becomes; the same at each replay of the log. */
export function unitId(operationId: string, factIndex: number): string {
  return v5(`${operationId}:${factIndex}`, namespace);
}

/** The units that get vectors at the position of the event, by their ids; none if they take effect elsewhere. */
export function lateUnitIds({ operationId, unitId: own, firstFact, vectors }: MemoryEventOf<'VectorsAdded'>['data']) {
  if (operationId === null) return [];
  return own === undefined ? vectors.map((_, index) => unitId(operationId, firstFact + index)) : [own];
}
