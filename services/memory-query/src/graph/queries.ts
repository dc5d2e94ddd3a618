import type { FactType, Graph } from '@mneme/contracts';
import type { ReadableRows } from '../read-model/reads.ts';
import { linkIndexes, type MemoryCollections } from '../read-model/rows.ts';
import { newestFirst, selectUnits } from '../units/queries.ts';
import { readFields } from '../units/shown-units.ts';
import { type DrawnLink, drawGraph, maxContext, maxEdges } from './draw-graph.ts';

export interface GraphQuery {
  readonly space: string;
  readonly agentId?: string | undefined;
  readonly factType?: FactType | undefined;
}

/** How many units are drawn, those with the newest dates. */
const maxNodes = 1_000;

/** The newest matching units and the strongest links between them. */
export async function graph(readable: ReadableRows, query: GraphQuery): Promise<Graph> {
  const { collections } = readable;
  const { filter, hint, count } = await selectUnits(readable, query);
  const newest = collections.units
    .find(filter, { projection: readFields(maxContext), hint })
    .sort(newestFirst)
    .limit(maxNodes);
  const [units, total] = await Promise.all([newest.toArray(), count()]);
  const links = await linksAmong(
    collections,
    units.map(({ _id }) => _id),
  );
  return drawGraph(units, links, total);
}

function linksAmong({ links }: MemoryCollections, unitIds: readonly string[]): Promise<DrawnLink[]> {
  const among = { $in: [...unitIds] };
  return links
    .find({ from: among, to: among }, { hint: linkIndexes.from })
    .project<DrawnLink>({ _id: 0, from: 1, to: 1, type: 1, weight: 1, entity: 1 })
    .sort({ weight: -1, from: 1, to: 1, type: 1 })
    .limit(maxEdges)
    .toArray();
}
