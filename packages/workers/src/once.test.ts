import { expect, it, vi } from 'vitest';
import { once } from './once.ts';

it('does the work once, when it is first asked for, and gives everybody its outcome', async () => {
  const work = vi.fn(async () => ({}));
  const get = once(work);
  expect(work).not.toHaveBeenCalled();
  const [one, other] = await Promise.all([get(), get()]);
  expect(other).toBe(one);
  expect(await get()).toBe(one);
  expect(work).toHaveBeenCalledOnce();
});

it('fails again with the same error', async () => {
  const get = once(async () => Promise.reject(new Error('not now')));
  const [one, other] = await Promise.all([get().catch((error) => error), get().catch((error) => error)]);
  expect(one.message).toBe('not now');
  expect(other).toBe(one);
});
