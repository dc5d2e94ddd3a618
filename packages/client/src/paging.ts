/** The items of a list on the server, requested page by page as they are read. */
export interface List<Item> extends AsyncIterable<Item> {
  /** All items at once. */
  all(): Promise<Item[]>;
}

/** A part of a list. */
export interface Part {
  readonly limit: number;
  readonly offset: number;
}

export interface PageOptions {
  /** The most items, 1 to 1000. Default: 100. */
  readonly limit?: number | undefined;
  /** How many items come before. Default: 0. */
  readonly offset?: number | undefined;
}

export interface PagingOptions {
  /** The most items of one request, 1 to 1000. Default: 100. */
  readonly pageSize?: number | undefined;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

const defaultPageSize = 100;

/**
 * A list whose pages have a number. What is added while it is read moves items to later pages; those that come again are
 * left out. What is deleted moves items to earlier pages, so that some are passed over: a caller who deletes what it reads
 * takes `all()` first.
 */
export function byOffset<Item extends { readonly id: string | number }>(
  { pageSize = defaultPageSize }: PagingOptions,
  readPage: (part: Part) => Promise<Page<Item>>,
): List<Item> {
  return listOf(async function* () {
    const seen = new Set<string | number>();
    for (let offset = 0; ; ) {
      const { items, total } = await readPage({ limit: pageSize, offset });
      for (const item of items) {
        if (seen.has(item.id)) continue;
        seen.add(item.id);
        yield item;
      }
      // Large items end a page early.
      offset += items.length;
      if (items.length === 0 || offset >= total) return;
    }
  });
}

type ReadPage<Item> = (
  cursor: string | undefined,
) => Promise<{ readonly items: readonly Item[]; readonly next: string | null }>;

/** A list whose pages name the next one. */
export function byCursor<Item>(readPage: ReadPage<Item>): List<Item> {
  return listOf(async function* () {
    let cursor: string | undefined;
    do {
      const { items, next } = await readPage(cursor);
      yield* items;
      cursor = next ?? undefined;
    } while (cursor !== undefined);
  });
}

interface Changing {
  readonly id: string;
  /** When it changed last, in milliseconds since 1970. */
  readonly changedAt: number;
  readonly createdAt: number;
}

/**
 * A list whose pages name the next one, with those first that were changed last. What changes while it is read moves before
 * the page that is read next, so the beginning is read again, down to what has not changed since the list was begun; and so
 * on, until that is one page, or has nothing new. Missed is only what moves before the next page each time. What is created
 * after the list was begun does not belong to it: it would have no end for who creates something of each item.
 */
export function byLastChange<Item>(readPage: ReadPage<Item>, changeOf: (item: Item) => Changing): List<Item> {
  return listOf(async function* () {
    const seen = new Set<string>();
    let known = Number.NEGATIVE_INFINITY;
    let begunAt: number | undefined;
    for (;;) {
      let newest: number | undefined;
      let pages = 0;
      let cursor: string | undefined;
      const seenBefore = seen.size;
      do {
        const { items, next } = await readPage(cursor);
        pages += 1;
        cursor = next ?? undefined;
        for (const item of items) {
          const { id, changedAt, createdAt } = changeOf(item);
          newest ??= changedAt;
          begunAt ??= changedAt;
          if (changedAt < known) cursor = undefined;
          if (changedAt < known || createdAt > begunAt || seen.has(id)) continue;
          seen.add(id);
          yield item;
        }
      } while (cursor !== undefined);
      if (newest === undefined || pages === 1 || seen.size === seenBefore) return;
      known = newest;
    }
  });
}

function listOf<Item>(read: () => AsyncGenerator<Item>): List<Item> {
  return {
    [Symbol.asyncIterator]: read,
    all: async () => {
      const items: Item[] = [];
      for await (const item of read()) items.push(item);
      return items;
    },
  };
}
