import { expect, it, onTestFinished } from 'vitest';
import { watchStores } from './store-reach.ts';

/**
 * @param answers of a store, one for each look, as `+` and `-`; what comes later is as the last one
 * @param utilization of the event loop, at each look
 */
async function lookAt(answers: string, utilization = 0) {
  const seen: boolean[] = [];
  let looks = 0;
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let losses = 0;
  const store = () => {
    if (looks > 0) seen.push(reach.isLost());
    if (looks === answers.length) resolve();
    looks += 1;
    return answers.at(Math.min(looks, answers.length) - 1) === '+';
  };
  const onLost = () => {
    losses += 1;
  };
  const reach = watchStores(
    { well: () => true, store },
    { onLost, everyMs: 10, inDoubtEveryMs: 1, utilization: () => utilization },
  );
  onTestFinished(() => reach.stop());
  await done;
  const lost = seen.slice(0, answers.length).map((isLost) => (isLost ? 'x' : '.'));
  return { lost: lost.join(''), losses };
}

it('a store is out of reach when it has not answered twice in a row, and back when it has answered for a while', async () => {
  expect(await lookAt('+-+--+++++-++++++-+')).toEqual({ lost: '....xxxxxxxxxxxx...'.slice(0, 19), losses: 12 });
});

it('in a process that is busy all the time, a store is out of reach when it has not answered six times in a row', async () => {
  expect(await lookAt('+--+-------++++++-+', 1)).toEqual({ lost: '.........xxxxxxx...', losses: 7 });
});

it('what is wrong with a read model is no store out of reach', async () => {
  let looks = 0;
  const readModel = () => {
    looks += 1;
    return 'It is being built';
  };
  const reach = watchStores({ readModel }, { everyMs: 1, inDoubtEveryMs: 1 });
  onTestFinished(() => reach.stop());
  await expect.poll(() => looks).toBeGreaterThan(5);
  expect(reach.isLost()).toBe(false);
});
