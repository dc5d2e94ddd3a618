import { describe, expect, it } from 'vitest';
import { byLastChange, byOffset } from './paging.ts';

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

describe('a list with those first that were changed last', () => {
  const all = Array.from({ length: 12 }, (_, index) => String(index));

  /** Reads the whole list; `change` is called after each page with its number, and says what changes then. */
  async function read(size: number, change: (page: number) => readonly string[]) {
    let now = all.length;
    let pages = 0;
    const changes = new Map(all.map((id, index) => [id, all.length - index]));
    const created = new Map<string, number>();
    const list = byLastChange(
      async (cursor) => {
        const sorted = [...changes].map(([id, changedAt]) => ({ id, changedAt, createdAt: created.get(id) ?? 0 }));
        sorted.sort((left, right) => right.changedAt - left.changedAt || (left.id < right.id ? -1 : 1));
        const [changedAt, id = ''] = cursor?.split(' ') ?? [];
        const isNext = (item: (typeof sorted)[number]) =>
          item.changedAt < Number(changedAt) || (item.changedAt === Number(changedAt) && item.id > id);
        const rest = cursor === undefined ? sorted : sorted.filter(isNext);
        const items = rest.slice(0, size);
        const last = items.at(-1);
        now += 1;
        for (const changed of change(pages)) {
          if (!changes.has(changed)) created.set(changed, now);
          changes.set(changed, now);
        }
        pages += 1;
        return { items, next: last && rest.length > size ? `${last.changedAt} ${last.id}` : null };
      },
      (item) => item,
    );
    const ids = (await list.all()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    return { ids, pages };
  }

  it('has what changes while it is read at its end, and nothing that is added', async () => {
    const { ids } = await read(3, (page) => (page === 0 ? ['9', 'new'] : []));
    expect(ids.at(-1)).toBe('9');
    expect(ids.toSorted()).toEqual(all.toSorted());
  });

  it('also has what changes while its beginning is read again', async () => {
    const { ids } = await read(3, (page) => [['5', '6', '7', '8', '9'], [], ['4']][page] ?? []);
    expect(ids).toEqual(expect.arrayContaining(all));
  });

  it('ends although something is added for each page', async () => {
    const { ids } = await read(2, (page) => [`new ${page}`, `newer ${page}`, `newest ${page}`]);
    expect(ids.toSorted()).toEqual(all.toSorted());
  });

  it('ends although something changes all the time', async () => {
    const { ids, pages } = await read(1, () => ['0']);
    expect(ids).toHaveLength(all.length);
    expect(pages).toBeLessThan(20);
  });

  it('is read once if it has one page', async () => {
    expect((await read(20, () => ['3'])).pages).toBe(1);
  });
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
