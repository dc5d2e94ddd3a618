import type { Collection, Document, Filter } from 'mongodb';

/** How many of the rows that a filter matches have each value of a field; values that no row has are missing. */
export async function countBy<T extends Document, F extends keyof T & string>(
  rows: Collection<T>,
  filter: Filter<T>,
  field: F,
): Promise<ReadonlyMap<T[F], number>> {
  const groups = await rows
    .aggregate<{ _id: T[F]; count: number }>([{ $match: filter }, { $group: { _id: `$${field}`, count: { $sum: 1 } } }])
    .toArray();
  return new Map(groups.map(({ _id, count }) => [_id, count]));
}

/**
 * A pattern for `$regex` that matches a text and nothing else. `RegExp.escape` cannot be used: it writes escapes that MongoDB
 * does not support, such as `\u2028`, and leaves a zero byte as it is, which no pattern may have.
 */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');
}
