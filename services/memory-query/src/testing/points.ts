import { createLexicalEncoder } from '@mneme/models';
import { unitId } from '../read-model/row-ids.ts';
import type { UnitVectors } from '../vectors/vector-index.ts';

const lexical = createLexicalEncoder();

/** Units of one operation as the vector index stores them, all with the same text, of event 1. @param facts their indexes */
export function pointsOf(agentKey: string, operationId: string, facts: readonly number[], text: string): UnitVectors[] {
  return facts.map((fact) => ({
    id: unitId(operationId, fact),
    operationId,
    fact,
    passage: { first: fact, last: fact },
    hasQuestion: false,
    agentKey,
    ordinal: fact + 1,
    documentKey: null,
    turn: 0,
    isAppended: false,
    sequence: 1,
    submitted: 1,
    writtenAt: 1,
    tags: [],
    factType: fact % 2 === 0 ? 'world' : 'agent',
    eventDate: new Date('2026-01-01'),
    dense: [1, 0],
    words: lexical.document(text),
    passageWords: fact === 0 ? lexical.document(`${text} Wool.`) : undefined,
  }));
}

/** The indexes from `from` up to, not including, `to`. */
export function factsBetween(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
