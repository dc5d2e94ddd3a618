import { openLog } from '@mneme/event-store';
import { expect, it } from 'vitest';
import { useTestSystem } from '../testing/test-read-model.ts';
import { Lane } from './lane.ts';
import { LaneReader } from './lane-reader.ts';

const system = useTestSystem();

it('shows in the lane that it cannot be read for, until it can', async () => {
  const { connection, stream } = system.parts;
  const sequence = await system.count('a', 1);
  let isBroken = true;
  const aggregateOf = async () => {
    if (isBroken) throw new TypeError('told to fail');
    return 'a';
  };
  const scheme = { count: 1, aggregateOf, laneOf: () => 0 };
  const log = openLog(connection, stream);
  const reader = new LaneReader({ log, scheme, subjects: '>', router: { position: sequence } });
  const lane = new Lane(0);
  lane.open(0, 1);
  lane.isReading = true;
  for (const inARow of [1, 2]) {
    await expect(reader.fill(lane)).rejects.toThrow('told to fail');
    expect(lane.failure).toMatchObject({ inARow, reason: 'It cannot be read for: told to fail' });
  }
  isBroken = false;
  expect(await reader.fill(lane)).toBe(true);
  expect([lane.failure, lane.queue.length]).toEqual([undefined, 1]);
});
