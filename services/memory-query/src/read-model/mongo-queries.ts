import { WireError } from '@mneme/contracts';
import { type AggregateOptions, type Collection, type Document, type Filter, MongoServerError } from 'mongodb';

/** How many of the rows that a filter matches have each value of a field; values that no row has are missing. */
export async function countBy<T extends Document, F extends keyof T & string>(
  rows: Collection<T>,
  filter: Filter<T>,
  field: F,
  options: Pick<AggregateOptions, 'session' | 'hint' | 'maxTimeMS'> = {},
): Promise<ReadonlyMap<T[F], number>> {
  const stages = [{ $match: filter }, { $group: { _id: `$${field}`, count: { $sum: 1 } } }];
  const groups = await rows.aggregate<{ _id: T[F]; count: number }>(stages, options).toArray();
  return new Map(groups.map(({ _id, count }) => [_id, count]));
}

/** How many rows there are in all; only counted when a page does not tell. */
export async function totalOf(
  page: readonly unknown[],
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
  count: () => Promise<number>,
): Promise<number> {
  const isLast = page.length < limit && (page.length > 0 || offset === 0);
  return isLast ? offset + page.length : count();
}

/**
 * A pattern for `$regex` that matches a text and nothing else. `RegExp.escape` cannot be used: it writes escapes that MongoDB
 * does not support, such as `\u2028`, and leaves a zero byte as it is, which no pattern may have.
 */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');
}

/**
 * How long the queries of one read may take together, in milliseconds. The gateway waits for 30 s, and a read may have waited
 * for its position for 5 s before.
 */
const maxReadMs = 24_000;
const maxTimeExpired = 50;

/** What MongoDB is told with a query, so that it ends the query when no caller waits for it any more. */
export interface QueryTime {
  readonly maxTimeMS: number;
}

/** Runs a query; throws WireError 504 when the time of its read is over. */
export type TimedRead = <T>(query: (time: QueryTime) => Promise<T>) => Promise<T>;

const askForLess = 'Too many units have to be read: ask for one agent (`agent_id`), or for a time (`since`, `until`)';

/**
 * The time of a read begins now; each of its queries gets what is left of it.
 * @param message of the error when that is over
 */
export function timedRead(maxMs = maxReadMs, message = askForLess): TimedRead {
  const endsAt = performance.now() + maxMs;
  return async (query) => {
    try {
      // MongoDB takes 0 for no limit.
      return await query({ maxTimeMS: Math.max(1, Math.floor(endsAt - performance.now())) });
    } catch (error) {
      throw error instanceof MongoServerError && error.code === maxTimeExpired ? tooLong(message, error) : error;
    }
  };
}

function tooLong(message: string, cause: MongoServerError): WireError {
  return new WireError({ status: 504, code: 'TIMEOUT', message }, { cause });
}
