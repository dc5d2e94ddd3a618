import { type Graph, maxGraphEdges, maxGraphNodes, type memoryQuery, type RequestOf } from '@mneme/contracts';
import { eachLink } from '../read-model/link-rows.ts';
import { type QueryTime, timedRead, totalOf } from '../read-model/mongo-queries.ts';
import type { ReadableRows } from '../read-model/reads.ts';
import type { Link, MemoryCollections } from '../read-model/rows.ts';
import { newestFirst, selectUnits } from '../units/queries.ts';
import { readFields } from '../units/shown-units.ts';
import { drawGraph, maxContext } from './draw-graph.ts';

type GraphQuery = RequestOf<typeof memoryQuery.graph>;

/**
 * The newest matching units and the strongest links between them.
 * @throws WireError 504 when it takes too long
 */
export async function graph(readable: ReadableRows, query: GraphQuery): Promise<Graph> {
  const { collections } = readable;
  const inTime = timedRead();
  const { filter, hint, count } = await selectUnits(readable, query);
  const limit = query.limit ?? maxGraphNodes;
  const options = { projection: readFields(maxContext), hint, sort: newestFirst, limit };
  const units = await inTime((time) => collections.units.find(filter, { ...options, ...time }).toArray());
  const total = await totalOf(units, { limit }, () => count(inTime));
  const ids = units.map(({ _id }) => _id);
  const links = await inTime((time) => linksAmong(collections, ids, { ...query, ...time }));
  return drawGraph(units, links, total);
}

async function linksAmong(
  { links }: MemoryCollections,
  unitIds: readonly string[],
  { linkType, edgeLimit = maxGraphEdges, maxTimeMS }: GraphQuery & QueryTime,
): Promise<Link[]> {
  // The server takes 0 for no limit.
  if (edgeLimit === 0) return [];
  const among = { $in: [...unitIds] };
  const stages = [
    { $match: { _id: among } },
    ...eachLink,
    { $match: { from: among, ...(linkType && { type: linkType }) } },
    { $sort: { weight: -1, from: 1, to: 1, type: 1 } },
    { $limit: edgeLimit },
  ];
  return links.aggregate<Link>(stages, { maxTimeMS }).toArray();
}
