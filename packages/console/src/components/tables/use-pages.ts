import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useState } from 'react';

export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
  readonly signal: AbortSignal;
}

interface PageReply<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** Rows by their number, those that are seen; the others are read when they come into view. */
export interface Rows<Item> {
  /** Undefined until the first page is here. */
  readonly total: number | undefined;
  /** Undefined while it is read. */
  at(index: number): Item | undefined;
  /** Says which rows are in view. */
  onView(first: number, last: number): void;
  readonly error: unknown;
  refetch(): void;
}

const pageSize = 50;

/** A long list of the server, read page by page as it is looked at. @param key begins the keys of its queries */
export function usePages<Item>(
  key: readonly unknown[],
  read: (request: PageRequest) => Promise<PageReply<Item>>,
): Rows<Item> {
  const [seen, setSeen] = useState({ first: 0, last: 0 });
  const between = Array.from({ length: seen.last - seen.first + 1 }, (_, index) => seen.first + index);
  // The first page also tells how many rows there are.
  const numbers = [...new Set([0, ...between])];
  const pages = useQueries({
    queries: numbers.map((number) => ({
      queryKey: [...key, number],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        readWhole(read, { limit: pageSize, offset: number * pageSize, signal }),
      placeholderData: number === 0 ? keepPreviousData : undefined,
    })),
  });
  const [newest] = pages.filter(({ data }) => data).toSorted((a, b) => b.dataUpdatedAt - a.dataUpdatedAt);
  const failed = pages.find(({ isError }) => isError);
  return {
    total: newest?.data?.total,
    at: (index) => pages[numbers.indexOf(Math.floor(index / pageSize))]?.data?.items[index % pageSize],
    onView: (firstRow, lastRow) => {
      const [first, last] = [Math.floor(firstRow / pageSize), Math.floor(lastRow / pageSize)];
      if (first !== seen.first || last !== seen.last) setSeen({ first, last });
    },
    error: failed?.error,
    refetch: () => {
      for (const page of pages) void page.refetch();
    },
  };
}

/** The server may end a page of large items early; what is left of it is asked for then. */
async function readWhole<Item>(read: (request: PageRequest) => Promise<PageReply<Item>>, request: PageRequest) {
  const { limit, offset, signal } = request;
  const items: Item[] = [];
  for (;;) {
    const part = await read({ limit: limit - items.length, offset: offset + items.length, signal });
    items.push(...part.items);
    const wanted = Math.min(limit, part.total - offset);
    if (part.items.length === 0 || items.length >= wanted) return { items, total: part.total };
  }
}

/** Rows that are all here. */
export function rowsOf<Item>(items: readonly Item[]): Rows<Item> {
  return {
    total: items.length,
    at: (index) => items[index],
    onView: () => undefined,
    error: undefined,
    refetch: () => undefined,
  };
}
