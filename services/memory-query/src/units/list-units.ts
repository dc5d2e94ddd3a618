import type { FactType, UnitList } from '@mneme/contracts';
import { agentKey } from '@mneme/contracts';
import type { Filter } from 'mongodb';
import type { MemoryCollections, Unit } from '../read-model/collections.ts';
import { timestamp } from '../read-model/timestamp.ts';
import { entityText } from './entity-text.ts';
import { wordsOf } from './words.ts';

export interface ListUnits {
  readonly space: string;
  readonly agentId?: string | undefined;
  readonly factType?: FactType | undefined;
  /** Units that have all its words in text or context. */
  readonly q?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

type ListedUnit = Pick<Unit, '_id' | 'text' | 'context' | 'eventDate' | 'factType' | 'entities'>;

const listedFields = { text: 1, context: 1, eventDate: 1, factType: 1, entities: 1 } as const;

/** A page of the units of a space or of one agent, newest date first. */
export async function listUnits({ units }: MemoryCollections, query: ListUnits): Promise<UnitList> {
  const { limit, offset } = query;
  const filter = unitFilter(query);
  const page = units
    .find(filter, { projection: listedFields })
    .sort({ eventDate: -1, _id: 1 })
    .skip(offset)
    .limit(limit);
  const [rows, total] = await Promise.all([page.toArray(), units.countDocuments(filter)]);
  return { items: (rows as ListedUnit[]).map(toItem), total, limit, offset };
}

function unitFilter({ space, agentId, factType, q }: ListUnits): Filter<Unit> {
  const words = wordsOf(q ?? null);
  return {
    space,
    ...(agentId === undefined ? {} : { agentKey: agentKey({ space, agentId }) }),
    ...(factType === undefined ? {} : { factType }),
    ...(words.length === 0 ? {} : { words: { $all: words } }),
  };
}

function toItem({ _id, text, context, eventDate, factType, entities }: ListedUnit): UnitList['items'][number] {
  return { id: _id, text, context, date: timestamp(eventDate), fact_type: factType, entities: entityText(entities) };
}
