import { partitionOf } from '@mneme/contracts';
import type { Commit, GiveWay } from '@mneme/read-models';
import type { Collection } from 'mongodb';
import { entitiesWithout } from '../entities/entity-book.ts';
import { linksOf } from '../read-model/link-rows.ts';
import type { StoredContents } from '../read-model/read-model.ts';
import { unitsOf } from '../read-model/removals.ts';
import { type Link, linkTypes, type StoredRemoval, unitIndexes } from '../read-model/rows.ts';

/** The most rows that one step removes. */
const unitsAtOnce = 250;
/** The same while questions come. */
const unitsBetweenQuestions = 100;
/** How many units are freed of links to removed ones in one transaction. */
export const linkRowsAtOnce = 500;
const rowsAtOnce = 1_000;
/** How many documents of a lane may wait to be removed; queries exclude each of them by itself. */
const mostDocuments = 50;
/** The steps that a document needs besides those for its units. */
const stepsOfDocument = 2;

/**
 * Removes what was replaced, deleted or erased, lane by lane and step by step, so that transactions stay small. Every step
 * may be repeated. The stored removals tell what is left.
 */
export class LaneRemovals {
  readonly #contents: StoredContents;
  /** By lane; a missing lane has not been read yet. */
  readonly #byLane = new Map<number, Map<string, StoredRemoval>>();
  /** How often each lane was forgotten. */
  readonly #timesForgotten = new Map<number, number>();

  constructor(contents: StoredContents) {
    this.#contents = contents;
  }

  isDue(lane: number): boolean {
    return this.#byLane.get(lane)?.size !== 0;
  }

  /** Whether the next step is one of an erasure, whose caller waits. */
  isAwaited(lane: number): boolean {
    return [...(this.#byLane.get(lane)?.values() ?? [])].some(isErasure);
  }

  /** The pending removals of an agent. */
  async of(agentKey: string): Promise<readonly StoredRemoval[]> {
    return ofAgent(await this.#ofLane(partitionOf(agentKey)), agentKey);
  }

  /** The same if they need not be read; otherwise undefined. */
  knownOf(agentKey: string): readonly StoredRemoval[] | undefined {
    const removals = this.#byLane.get(partitionOf(agentKey));
    return removals && ofAgent(removals, agentKey);
  }

  /** Has to be called after removals were stored. */
  add(removals: readonly StoredRemoval[]): void {
    for (const removal of removals) this.#byLane.get(partitionOf(removal.agentKey))?.set(removal._id, removal);
  }

  forget(lane: number): void {
    this.#timesForgotten.set(lane, (this.#timesForgotten.get(lane) ?? 0) + 1);
    this.#byLane.delete(lane);
  }

  /** Does one step for a lane, of erasures first, because their callers wait. */
  async step(lane: number, commit: Commit, giveWay?: GiveWay): Promise<void> {
    const removals = [...(await this.#ofLane(lane)).values()];
    const removal = removals.find(isErasure) ?? removals[0];
    if (removal) await this.#removeSome(removal, commit, giveWay);
  }

  /** Whether the erasure of one of the agents is not finished. */
  async areErasing(agentKeys: Iterable<string>): Promise<boolean> {
    for (const agentKey of agentKeys) if (await this.#erasureOf(agentKey)) return true;
    return false;
  }

  /** Finishes the removal of erased agents, before new agents with the same ids are stored. It may take minutes. */
  async finishErasures(agentKeys: Iterable<string>, commit: Commit, giveWay?: GiveWay): Promise<void> {
    for (const agentKey of agentKeys) {
      for (;;) {
        const erasure = await this.#erasureOf(agentKey);
        if (!erasure) break;
        await this.#removeSome(erasure, commit, giveWay);
      }
    }
  }

  /**
   * Does some steps before facts of a document are stored, if an earlier version of it waits, or too many documents of its
   * lane do: in a rebuild a lane is hardly ever idle. They remove about as much as the facts add, so they are short.
   * @param id of the row of the document
   */
  async keepUp(id: string, facts: number, commit: Commit, giveWay?: GiveWay): Promise<void> {
    const [agentKey = ''] = id.split(':');
    for (let left = stepsOfDocument + Math.ceil(facts / unitsBetweenQuestions); left > 0; left -= 1) {
      const removals = await this.#ofLane(partitionOf(agentKey));
      const removal = removals.get(id) ?? surplusOf(removals);
      if (!removal) return;
      await this.#removeSome(removal, commit, giveWay);
    }
  }

  async #erasureOf(agentKey: string): Promise<StoredRemoval | undefined> {
    return (await this.of(agentKey)).find(isErasure);
  }

  async #ofLane(lane: number): Promise<Map<string, StoredRemoval>> {
    const known = this.#byLane.get(lane);
    if (known) return known;
    const before = this.#timesForgotten.get(lane);
    const rows = await this.#contents.collections.removals.find({ lane }).toArray();
    const found = new Map(rows.map((row) => [row._id, row]));
    // A read of a batch that failed may end when the next attempt has stored more removals already.
    if (this.#timesForgotten.get(lane) === before) this.#byLane.set(lane, found);
    return found;
  }

  async #removeSome(removal: StoredRemoval, commit: Commit, giveWay?: GiveWay): Promise<void> {
    const { collections, vectors } = this.#contents;
    const limit = giveWay ? unitsBetweenQuestions : unitsAtOnce;
    const units = await collections.units
      .find(unitsOf(removal), { projection: { _id: 1 }, ...newestFirst(removal), limit })
      .toArray();
    if (units.length > 0) {
      const ids = units.map(({ _id }) => _id);
      return this.#removeUnits(removal, ids, commit, giveWay);
    }
    if (await (removal.documentKey === null ? this.#removeRows(removal, commit) : this.#removeTurns(removal, commit)))
      return;
    await vectors.removeAll(removal);
    await commit(0, async (session) => {
      await collections.removals.deleteOne({ _id: removal._id, before: removal.before }, { session });
    });
    this.#byLane.get(removal.lane)?.delete(removal._id);
  }

  async #removeUnits(
    removal: StoredRemoval,
    ids: readonly string[],
    commit: Commit,
    giveWay: GiveWay = async () => undefined,
  ): Promise<void> {
    const { units, links, entities, linkCounts } = this.#contents.collections;
    const gone = { $in: [...ids] };
    await giveWay();
    const [own, newer] = await Promise.all([
      links.find({ _id: gone }).project<{ links: Pick<Link, 'type'>[] }>({ 'links.type': 1 }).toArray(),
      links
        .find({ 'links.from': gone, _id: { $nin: [...ids] } })
        .limit(linkRowsAtOnce)
        .toArray(),
    ]);
    const isLast = newer.length < linkRowsAtOnce;
    const isGone = new Set(ids);
    const { forgotten, affected, change } = entitiesWithout(ids);
    const toGone = linksOf(newer).filter(({ from }) => isGone.has(from));
    const removed = isLast ? [...toGone, ...own.flatMap((row) => row.links)] : toGone;
    await giveWay();
    if (isLast) await this.#contents.vectors.remove(ids, removal.before).then(giveWay);
    await commit(0, async (session) => {
      const rows = { _id: { $in: newer.map(({ _id }) => _id) } };
      if (newer.length > 0) await links.updateMany(rows, { $pull: { links: { from: gone } } }, { session });
      // The counts of an erased agent are already removed.
      if (removal.documentKey !== null && removed.length > 0) {
        await linkCounts.updateOne({ _id: removal.agentKey }, { $inc: countsOf(removed) }, { session });
      }
      if (!isLast) return;
      await entities.deleteMany(forgotten, { session });
      await entities.updateMany(affected, change, { session });
      await giveWay();
      await links.deleteMany({ _id: gone }, { session });
      await units.deleteMany({ _id: gone }, { session });
    });
  }

  /** The turns of a replaced or deleted document. @returns false when there are none left */
  async #removeTurns({ agentKey, documentKey, before }: StoredRemoval, commit: Commit): Promise<boolean> {
    const { turns } = this.#contents.collections;
    const found = await turns
      .find({ agentKey, documentKey: documentKey ?? '', submitted: { $lt: before } }, { projection: { _id: 1 } })
      .limit(rowsAtOnce)
      .toArray();
    if (found.length === 0) return false;
    await commit(0, async (session) => {
      await turns.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } }, { session });
    });
    return true;
  }

  /** Other rows of an erased agent. @returns false when there are none left */
  async #removeRows({ agentKey }: StoredRemoval, commit: Commit): Promise<boolean> {
    const { operations, documents, turns, entities } = this.#contents.collections;
    const all = [operations, documents, turns, entities] as unknown as Collection<{ _id: string; agentKey: string }>[];
    for (const rows of all) {
      const found = await rows
        .find({ agentKey }, { projection: { _id: 1 } })
        .limit(rowsAtOnce)
        .toArray();
      if (found.length === 0) continue;
      await commit(0, async (session) => {
        await rows.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } }, { session });
      });
      return true;
    }
    return false;
  }
}

function isErasure({ documentKey }: StoredRemoval): boolean {
  return documentKey === null;
}

function ofAgent(removals: ReadonlyMap<string, StoredRemoval>, agentKey: string): readonly StoredRemoval[] {
  return removals.size === 0 ? [] : [...removals.values()].filter((each) => each.agentKey === agentKey);
}

/** The document that is removed first where too many wait. */
function surplusOf(removals: ReadonlyMap<string, StoredRemoval>): StoredRemoval | undefined {
  const documents = [...removals.values()].filter(({ documentKey }) => documentKey !== null);
  return documents.length < mostDocuments ? undefined : documents[0];
}

/**
 * The newest first, since the row of a unit has its links to older ones: most rows are deleted whole before the units that
 * they lead to. Rows of one document are in the index in the order in which they were stored.
 */
function newestFirst({ documentKey }: StoredRemoval) {
  return documentKey === null
    ? ({ hint: unitIndexes.inTime, sort: { agentKey: -1, eventDate: -1, ordinal: -1 } } as const)
    : ({ hint: unitIndexes.ofDocument, sort: { agentKey: -1, documentKey: -1, submitted: -1 } } as const);
}

function countsOf(links: readonly Pick<Link, 'type'>[]): Partial<Record<Link['type'], number>> {
  const byType = Map.groupBy(links, ({ type }) => type);
  return Object.fromEntries(
    linkTypes.flatMap((type) => (byType.has(type) ? [[type, -(byType.get(type)?.length ?? 0)]] : [])),
  );
}
