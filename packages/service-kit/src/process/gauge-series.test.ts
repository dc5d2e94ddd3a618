import { expect, it } from 'vitest';
import { GaugeSeries } from './gauge-series.ts';
import { createRegistry } from './metrics.ts';

const options = { name: 'mneme_mills', help: 'Mills', labels: ['mill'] };
const valueAt = (mill: string, value: number) => ({ labels: { mill }, value });

it('has the values that were set last, and leaves those of others alone', async () => {
  const metrics = createRegistry();
  const [own, others] = [new GaugeSeries(metrics, options), new GaugeSeries(metrics, options)];
  const told = async () => (await metrics.text()).split('\n').filter((line) => line.startsWith('mneme_mills{'));
  others.set([valueAt('other', 1)]);
  own.set([valueAt('first', 2), valueAt('second', 3)]);
  own.set([valueAt('second', 4), valueAt('third', 5)]);
  const left = ['mneme_mills{mill="other"} 1', 'mneme_mills{mill="second"} 4', 'mneme_mills{mill="third"} 5'];
  expect((await told()).toSorted()).toEqual(left);
  own.set([]);
  expect(await told()).toEqual(['mneme_mills{mill="other"} 1']);
});
