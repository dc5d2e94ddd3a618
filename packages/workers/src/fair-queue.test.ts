import { describe, expect, it } from 'vitest';
import { createFairQueue, type Owner } from './fair-queue.ts';

/** What waits, written as `<tenant>/<member>/<order>`. */
function queueOf(...items: readonly string[]) {
  const queue = createFairQueue<string>();
  for (const item of items) {
    const [tenant = '', member = '', order] = item.split('/');
    queue.add([tenant, member], Number(order), item);
  }
  return queue;
}

function takeAll(queue: ReturnType<typeof queueOf>, isEligible?: (tenant: string) => boolean): string[] {
  const taken: string[] = [];
  for (let next = queue.take(isEligible); next; next = queue.take(isEligible)) taken.push(next.item);
  return taken;
}

describe('a fair queue', () => {
  it('lets tenants take turns, however much one of them has', () => {
    const queue = queueOf('a/x/1', 'a/x/2', 'a/x/3', 'b/y/4', 'c/z/5', 'c/z/6');
    expect(queue.size).toBe(6);
    expect(takeAll(queue)).toEqual(['a/x/1', 'b/y/4', 'c/z/5', 'a/x/2', 'c/z/6', 'a/x/3']);
    expect(queue.size).toBe(0);
  });

  it('lets the members of a tenant take turns within the turns of the tenant', () => {
    const queue = queueOf('a/x/1', 'a/x/2', 'a/y/3', 'b/z/4', 'b/z/5', 'b/z/6');
    expect(takeAll(queue)).toEqual(['a/x/1', 'b/z/4', 'a/y/3', 'b/z/5', 'a/x/2', 'b/z/6']);
  });

  it('gives what one member has in its order, also when it comes in another', () => {
    expect(takeAll(queueOf('a/x/3', 'a/x/1', 'a/x/2'))).toEqual(['a/x/1', 'a/x/2', 'a/x/3']);
  });

  it('gives a newcomer its turn before anybody has a second one', () => {
    const queue = queueOf('a/x/1', 'a/x/2', 'b/y/3', 'b/y/4');
    queue.take();
    queue.add(['c', 'z'], 9, 'c/z/9');
    expect(takeAll(queue)).toEqual(['b/y/3', 'a/x/2', 'c/z/9', 'b/y/4']);
  });

  it('passes over tenants that are not eligible, and leaves them where they are', () => {
    const queue = queueOf('a/x/1', 'a/x/2', 'b/y/3');
    expect(takeAll(queue, (tenant) => tenant !== 'a')).toEqual(['b/y/3']);
    expect(takeAll(queue)).toEqual(['a/x/1', 'a/x/2']);
  });

  it('passes over owners that are not free, but not over others of their tenant', () => {
    const queue = queueOf('a/x/1', 'a/x/2', 'a/y/3', 'b/z/4');
    const isFree = ([tenant, member]: Owner) => `${tenant}/${member}` !== 'a/x' && tenant !== 'b';
    expect(queue.take(undefined, isFree)).toEqual({ owner: ['a', 'y'], item: 'a/y/3' });
    expect(queue.take(undefined, isFree)).toBeUndefined();
    expect(takeAll(queue)).toEqual(['b/z/4', 'a/x/1', 'a/x/2']);
  });

  it('gives up what would come last, if it may go', () => {
    const queue = queueOf('a/x/1', 'a/x/2', 'b/y/3', 'b/y/4');
    expect(queue.takeLast(() => false)).toBeUndefined();
    expect([queue.takeLast(() => true), queue.takeLast(() => true), queue.size]).toEqual(['b/y/4', 'b/y/3', 2]);
    expect(queue.takeLast((item) => item !== 'a/x/2')).toBe('a/x/1');
    expect(takeAll(queue)).toEqual(['a/x/2']);
  });

  it('tells whether it has one of a tenant and an owner that are wanted', () => {
    const queue = queueOf('a/x/1', 'b/y/2');
    const has = (wanted: string, member: string) =>
      queue.has(
        (tenant) => tenant === wanted,
        (owner) => owner[1] === member,
      );
    expect([has('a', 'x'), has('a', 'y'), has('c', 'x'), queue.has()]).toEqual([true, false, false, true]);
    takeAll(queue);
    expect(queue.has()).toBe(false);
  });

  it('gives up the last of the tenant with the most', () => {
    const queue = queueOf('a/x/1', 'b/y/2', 'b/y/3', 'b/z/4', 'b/z/5', 'b/z/6');
    expect([queue.takeOfMost(), queue.takeOfMost(), queue.takeOfMost()]).toEqual(['b/z/6', 'b/y/3', 'b/z/5']);
    expect(takeAll(queue)).toEqual(['a/x/1', 'b/y/2', 'b/z/4']);
    expect(queue.takeOfMost()).toBeUndefined();
  });
});
