import { expect, it } from 'vitest';
import { byOffset } from './paging.ts';

const items = Array.from({ length: 25 }, (_, id) => ({ id }));

it.each([10, 3, 1])('reads all items, also when pages end after %i of 10 because they are large', async (most) => {
  const list = byOffset({ pageSize: 10 }, async ({ limit, offset }) => {
    return { items: items.slice(offset, offset + Math.min(limit, most)), total: items.length };
  });
  expect(await list.all()).toEqual(items);
});

it('leaves out what comes again because something was added', async () => {
  let shown = items;
  const list = byOffset({ pageSize: 10 }, async ({ limit, offset }) => {
    const page = { items: shown.slice(offset, offset + limit), total: shown.length };
    shown = [{ id: -shown.length }, ...shown];
    return page;
  });
  expect(await list.all()).toEqual(items);
});
