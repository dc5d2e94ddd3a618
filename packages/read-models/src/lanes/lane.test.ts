import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Lane } from './lane.ts';

it('tells those who wait for room that applying has failed, since nothing may be taken for long', async () => {
  const lane = new Lane(0);
  lane.open(0, 1);
  let isTold = false;
  void lane.untilTaken().then(() => {
    isTold = true;
  });
  await turn();
  expect(isTold).toBe(false);
  lane.noteFailure('told to fail');
  await turn();
  expect(isTold).toBe(true);
});
