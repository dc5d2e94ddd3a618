import { describe, expect, it } from 'vitest';
import { createAdmission, type Requester, requesterOf } from './admission.ts';

/** Enters until it is refused. @returns how often it was let in */
function fill(admission: ReturnType<typeof createAdmission>, requester: Requester): number {
  for (let entered = 0; ; entered += 1) if (!admission.enter(requester)) return entered;
}

describe('admission', () => {
  it('lets an agent have a third of the places, and others always a part of what is left', () => {
    const admission = createAdmission(90);
    expect(fill(admission, ['loud', 'a'])).toBe(30);
    expect(fill(admission, ['loud', 'b'])).toBe(10);
    expect(fill(admission, ['second', 'a'])).toBe(17);
    expect(fill(admission, ['third', 'a'])).toBe(11);
    expect(admission.enter(['quiet', 'a'])).toBeDefined();
  });

  it('lets one tenant have at most half of the places', () => {
    const admission = createAdmission(64);
    const entered = Array.from({ length: 64 }, (_, agent) => fill(admission, ['loud', `${agent}`]));
    expect(entered.reduce((sum, each) => sum + each)).toBe(32);
  });

  it('lets an agent in again when one of its requests ends', () => {
    const admission = createAdmission(6);
    const end = admission.enter(['loud', 'a']);
    expect(fill(admission, ['loud', 'a'])).toBe(1);
    end?.();
    expect(fill(admission, ['loud', 'a'])).toBe(1);
  });

  it('is full when no place is left', () => {
    const admission = createAdmission(2);
    const ends = ['a', 'b'].map((tenant) => admission.enter([tenant, '']));
    expect(admission.isFull).toBe(true);
    expect(admission.enter(['c', ''])).toBeUndefined();
    ends[0]?.();
    expect(admission.isFull).toBe(false);
  });
});

it.each([
  [{ space: '7', agentId: 'ana', userId: 3 }, ['7', 'ana']],
  [{ space: '7' }, ['7', '']],
  [{ userId: 3 }, ['3', '']],
  [{ counts: [] }, ['', '']],
  [null, ['', '']],
])('the requester of %o is %o', (request, requester) => {
  expect(requesterOf(request)).toEqual(requester);
});
