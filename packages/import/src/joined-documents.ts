import type { Item } from '@mneme/client';
import { FileFault, type ImportedDocument } from './found.ts';

/** The most text that is held in memory, in characters. */
const maxLength = 256 * 1_024 ** 2;

/** Documents whose parts stand anywhere in a file: they are complete at its end. */
export class JoinedDocuments {
  readonly #items = new Map<string, Item[]>();
  #length = 0;

  /** @throws FileFault when there is too much to be held in memory */
  add({ id, items }: Pick<ImportedDocument, 'id' | 'items'>): void {
    this.#length += lengthOf(items);
    if (this.#length > maxLength) throw new FileFault('it has more than 256 MiB of items; split it');
    const known = this.#items.get(id);
    if (known) known.push(...items);
    else this.#items.set(id, [...items]);
  }

  /** Each with its share of all text, 0 to 1. */
  *all(): Iterable<Pick<ImportedDocument, 'id' | 'items'> & { readonly share: number }> {
    for (const [id, items] of this.#items) yield { id, items, share: lengthOf(items) / Math.max(1, this.#length) };
  }
}

function lengthOf(items: readonly Item[]): number {
  return items.reduce((sum, { content }) => sum + content.length, 0);
}
