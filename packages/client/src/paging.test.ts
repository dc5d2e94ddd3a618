import { expect, it } from 'vitest';
import { byOffset } from './paging.ts';

const items = Array.from({ length: 25 }, (_, id) => ({ id }));

it.each([10, 3, 1])('reads all items, also when pages end after %i of 10 because they are large', async (most) => {
  const list = byOffset({ pageSize: 10 }, async ({ limit, offset }) => {
    return { items: items.slice(offset, offset + Math.min(limit, most)), total: items.length };
  });
  expect(await list.all()).toEqual(items);
});

it('leaves out what comes again because more than a page was added', async () => {
  let reads = 0;
  const added = Array.from({ length: 25 }, (_, index) => ({ id: -index - 1 }));
  const list = byOffset({ pageSize: 10 }, async ({ limit, offset }) => {
    const shown = reads === 0 ? items : [...added, ...items];
    reads += 1;
    return { items: shown.slice(offset, offset + limit), total: shown.length };
  });
  const ids = (await list.all()).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(items.map(({ id }) => id)));
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
