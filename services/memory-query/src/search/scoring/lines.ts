import { turnRowId } from '../../read-model/row-ids.ts';
import { type MemoryCollections, turnIndexes } from '../../read-model/rows.ts';
import type { UnitPlace, VectorHits } from '../../vectors/vector-index.ts';

/** Where a fact stands among others that were said before and after it. */
export interface Position {
  readonly line: string;
  readonly at: number;
}

/** A fact by its batch. */
export type FactRef = Pick<UnitPlace, 'operationId' | 'fact'>;

/**
 * The order of facts. The facts of a batch stand on a line; batches that were appended to a document continue the line of
 * the one before.
 */
export interface Lines {
  positionOf(fact: FactRef): Position;
  /** The fact at a position; undefined where none can be. */
  factAt(position: Position): FactRef | undefined;
}

/** Each batch is a line of its own. */
export const separateLines: Lines = {
  positionOf: ({ operationId, fact }) => ({ line: operationId, at: fact }),
  factAt: ({ line, at }) => (at < 0 ? undefined : { operationId: line, fact: at }),
};

/** How many turns before and after one that was found are looked up; the nearest may have failed or have no facts. */
const reach = 3;
/** The most turns that are looked up. */
const maxTurns = 2_000;

/** A turn as it stands on its line. */
export interface PlacedTurn {
  readonly operationId: string;
  readonly facts: number;
  readonly line: string;
  readonly start: number;
}

/** Reads which batches stand around those that were found, if any of them was appended to a document. */
export async function readLines({ turns }: MemoryCollections, agentKey: string, hits: VectorHits): Promise<Lines> {
  const found = [hits.words, hits.dense, hits.window, hits.passages].flat();
  if (!found.some(({ isAppended }) => isAppended)) return separateLines;
  const wanted = turnsAround(agentKey, found);
  const rows = await turns
    .find(
      { _id: { $in: wanted.map(({ id }) => id) } },
      { projection: turnIndexes.byNumber, hint: turnIndexes.byNumber },
    )
    .toArray();
  const byId = new Map(rows.map((row) => [row._id, row]));
  return linesOf(wanted.map(({ id, line }) => ({ line, ...(byId.get(id) ?? { operationId: '', facts: 0 }) })));
}

/** Ids of turns in their order, with the line that each belongs to: one for each run of turns without a gap. */
function turnsAround(agentKey: string, found: readonly UnitPlace[]): { id: string; line: string }[] {
  const byDocument = new Map<string, Set<number>>();
  for (const { documentKey, turn } of found) {
    if (documentKey === null) continue;
    const numbers = byDocument.get(documentKey) ?? new Set();
    for (let number = Math.max(1, turn - reach); number <= turn + reach; number += 1) numbers.add(number);
    byDocument.set(documentKey, numbers);
  }
  const ids = [...byDocument].flatMap(([documentKey, numbers]) => {
    let line = '';
    return [...numbers]
      .sort((left, right) => left - right)
      .map((number) => {
        if (!numbers.has(number - 1)) line = `${documentKey}:${number}`;
        return { id: turnRowId(agentKey, documentKey, number), line };
      });
  });
  return ids.slice(0, maxTurns);
}

/** @param turns in their order on each line; those that do not exist have no facts */
export function linesOf(turns: readonly Pick<PlacedTurn, 'operationId' | 'facts' | 'line'>[]): Lines {
  const ends = new Map<string, number>();
  const byOperation = new Map<string, PlacedTurn>();
  const onLine = new Map<string, PlacedTurn[]>();
  for (const { operationId, facts, line } of turns) {
    if (facts === 0) continue;
    const start = ends.get(line) ?? 0;
    const placed = { operationId, facts, line, start };
    ends.set(line, start + facts);
    byOperation.set(operationId, placed);
    const others = onLine.get(line);
    if (others) others.push(placed);
    else onLine.set(line, [placed]);
  }
  return {
    positionOf: (fact) => {
      const turn = byOperation.get(fact.operationId);
      return turn ? { line: turn.line, at: turn.start + fact.fact } : separateLines.positionOf(fact);
    },
    factAt: ({ line, at }) => {
      const placed = onLine.get(line);
      if (!placed) return separateLines.factAt({ line, at });
      const turn = placed.find(({ start, facts }) => at >= start && at < start + facts);
      return turn && { operationId: turn.operationId, fact: at - turn.start };
    },
  };
}
