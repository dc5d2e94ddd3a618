import { documentKey, type MetadataFilter } from '@mneme/contracts';
import type { Filter } from 'mongodb';
import type { StoredUnit } from '../read-model/rows.ts';
import type { UnitFilter } from '../vectors/vector-index.ts';
import { tagFilter } from './tags.ts';

/** Which units a request is about; all unless given. */
export interface UnitFilters {
  readonly documentId?: string | null | undefined;
  /** Half-open; ISO 8601 with an offset. */
  readonly since?: string | null | undefined;
  readonly until?: string | null | undefined;
  readonly metadata?: MetadataFilter | null | undefined;
}

/** The filter of the vector index; undefined for all units. */
export function unitFilter({ documentId, since, until, metadata }: UnitFilters): UnitFilter | undefined {
  const hasTags = metadata && Object.keys(metadata).length > 0;
  if (!documentId && !since && !until && !hasTags) return undefined;
  return {
    ...(documentId && { documentKey: documentKey(documentId) }),
    ...(since && { from: Date.parse(since) }),
    ...(until && { to: Date.parse(until) }),
    ...tagFilter(metadata ?? {}),
  };
}

/** The same as a filter of rows. */
export function rowFilter(filters: UnitFilters): Filter<StoredUnit> {
  const { documentKey, from, to, tags = [], withoutTags = [] } = unitFilter(filters) ?? {};
  const eventDate = {
    ...(from !== undefined && { $gte: new Date(from) }),
    ...(to !== undefined && { $lt: new Date(to) }),
  };
  const conditions: Filter<StoredUnit>[] = [
    ...tags.map((any) => ({ tags: { $in: [...any] } })),
    ...(withoutTags.length > 0 ? [{ tags: { $nin: [...withoutTags] } }] : []),
  ];
  return {
    ...(documentKey !== undefined && { documentKey }),
    ...(Object.keys(eventDate).length > 0 && { eventDate }),
    ...(conditions.length > 0 && { $and: conditions }),
  };
}
