import pino from 'pino';
import { expect, it } from 'vitest';
import { Lane } from '../lanes/lane.ts';
import { Maintainer } from './maintainer.ts';

it('does one piece for each lane in turn, whether it fails or has much to do', async () => {
  const lanes = Array.from({ length: 4 }, (_, index) => new Lane(index));
  for (const lane of lanes) lane.open(0, 1);
  const left = new Map([
    [0, 9],
    [1, 9],
    [3, 2],
  ]);
  const served: number[] = [];
  const maintainer = new Maintainer({
    key: 'sums@1',
    indexes: { note: () => undefined },
    lanes,
    maintenance: {
      isDue: (lane) => (left.get(lane) ?? 0) > 0,
      step: async (lane) => {
        served.push(lane);
        if (lane === 0) throw new Error('It fails each time');
        left.set(lane, (left.get(lane) ?? 0) - 1);
      },
    },
    commitOf: () => async () => undefined,
    pace: { giveWay: () => undefined, restAfterMaintenance: async () => undefined },
    // It is not waited after failures.
    signal: AbortSignal.abort(),
    logger: pino({ level: 'silent' }),
  });
  for (let pieces = 0; pieces < 8; pieces += 1) await maintainer.take()?.work();
  expect(served).toEqual([0, 1, 3, 0, 1, 3, 0, 1]);
});

it('keeps the rests short after a piece that somebody waits for', async () => {
  const lanes = [new Lane(0), new Lane(1)];
  for (const lane of lanes) lane.open(0, 1);
  const awaited: boolean[] = [];
  const maintainer = new Maintainer({
    key: 'sums@1',
    indexes: { note: () => undefined },
    lanes,
    maintenance: { isDue: () => true, isAwaited: (lane) => lane === 1, step: async () => undefined },
    commitOf: () => async () => undefined,
    pace: {
      giveWay: (_isHeavy, isAwaited = false) => {
        awaited.push(isAwaited);
        return undefined;
      },
      restAfterMaintenance: async (_pieceMs, isAwaited) => {
        awaited.push(isAwaited);
      },
    },
    signal: AbortSignal.abort(),
    logger: pino({ level: 'silent' }),
  });
  for (let pieces = 0; pieces < 2; pieces += 1) await maintainer.take()?.work();
  expect(awaited).toEqual([false, false, true, true]);
});
