import { agentKey } from '@mneme/contracts';
import { Binary } from 'mongodb';
import { linkRows, linksOf } from '../read-model/link-rows.ts';
import type { Link, MemoryCollections, StoredAgent, StoredUnit } from '../read-model/rows.ts';
import { unitWords, wordsOf } from '../units/text.ts';

/** All links that are stored, those of one unit together. */
export async function storedLinks({ links }: Pick<MemoryCollections, 'links'>): Promise<Link[]> {
  return linksOf(await links.find({}).sort({ _id: 1 }).toArray());
}

/** All rows that follow from events, kind by kind: units first. */
export async function allRows(collections: MemoryCollections) {
  const { units, documents, operations, agents, entities, links, linkCounts } = collections;
  const all = [units, documents, operations, agents, entities, links, linkCounts];
  return Promise.all(all.map((each) => each.find({}).sort({ _id: 1 }).toArray()));
}

const started = Date.UTC(2026, 0, 1);

/** Rows as the projection writes them, for tests of what is read. */
export function createRows(space = 'public', agentId = 'alice') {
  const key = agentKey({ space, agentId });
  let ordinal = 0;
  return {
    agent: { _id: key, space, agentId } as unknown as StoredAgent,
    /** The next unit, a minute newer than the one before. */
    unit: (text: string, change: Partial<StoredUnit> = {}): StoredUnit => {
      ordinal += 1;
      const context = change.context ?? null;
      return {
        _id: `${space}-${agentId}-${String(ordinal).padStart(5, '0')}`,
        space,
        agentKey: key,
        agentId,
        documentKey: null,
        documentId: null,
        operationId: 'o',
        text,
        context,
        factType: 'world',
        entities: [],
        eventDate: new Date(started + ordinal * 60_000),
        ordinal,
        mentions: 1,
        confidence: null,
        tokens: 1,
        words: unitWords(text, wordsOf(context)),
        sequence: ordinal,
        submitted: ordinal,
        turn: 0,
        isAppended: false,
        fact: 0,
        item: 0,
        role: null,
        metadata: null,
        tags: [],
        vector: new Binary(new Uint8Array(4)),
        ...change,
      } as StoredUnit;
    },
    link: (from: StoredUnit, to: StoredUnit, change: Partial<Link> = {}): Link => {
      return { type: 'semantic', from: from._id, to: to._id, weight: 0.5, entity: null, ...change };
    },
    /** The stored rows of links. */
    linkRows: (...links: Link[]) => linkRows(key, links),
  };
}
