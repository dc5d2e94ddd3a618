import { WireError } from '@mneme/contracts';
import type { Collection, Document, Filter } from 'mongodb';

/** How many rows of a kind there may be. */
export interface RowLimit<T extends Document> {
  readonly rows: Collection<T>;
  /** Those of the user or project. */
  readonly filter: Filter<T>;
  readonly most: number;
  /** As callers know them, such as `API keys`. */
  readonly what: string;
  readonly owner: 'user' | 'project';
  /** Whether callers can delete some. */
  readonly isDeletable?: boolean;
}

/**
 * Lets one more be created. What was just created may not be counted yet.
 * @throws WireError 409 when there are as many as there may be
 */
export async function assertRoom<T extends Document>(limit: RowLimit<T>): Promise<void> {
  const { rows, filter, most, what, owner, isDeletable = false } = limit;
  if ((await rows.countDocuments(filter, { limit: most })) < most) return;
  const has = owner === 'user' ? 'You have' : 'The project has';
  const advice = `${isDeletable ? 'Delete one first, or ask' : 'Ask'} the operator of Mneme to raise ITEMS_PER_USER`;
  const message = `${has} ${most} ${what}, the most that one ${owner} may have. ${advice}`;
  throw new WireError({ status: 409, code: 'CONFLICT', message });
}
