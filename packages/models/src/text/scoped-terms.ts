import { hash32 } from './hash.ts';
import type { SparseVector } from './lexical-encoder.ts';

/**
 * The same vector with terms that belong to one scope, such as an agent: in an index that many share, each scope then has
 * lists of its own. Writing or searching one takes no longer because of what others store. Applied twice, it gives the vector
 * back. Two scopes rarely share a term by chance, so an index must still filter by the scope.
 */
export function scopeTerms(scope: string, { indices, values }: SparseVector): SparseVector {
  const mask = hash32(scope);
  return { indices: indices.map((term) => (term ^ mask) >>> 0), values };
}
