import { nanos } from '@nats-io/nats-core';
import { expect, it } from 'vitest';
import type { Log } from '../log.ts';
import { isCurrent, standingOf } from './member-standing.ts';

const peer = { name: 'nats-1', current: true, offline: false, active: nanos(900), lag: 0 };

it('a server is current that has answered a moment ago and has everything', () => {
  const { lag: _, ...withoutLag } = peer;
  expect([peer, withoutLag as typeof peer].every(isCurrent)).toBe(true);
  const others = [{ current: false }, { offline: true }, { active: nanos(2_100) }, { lag: 1 }];
  for (const other of others) expect(isCurrent({ ...peer, ...other })).toBe(false);
});

it('a server is behind that may catch up, and away if it does not answer any more', async () => {
  const standing = (replicas: readonly (typeof peer)[], server = peer.name) => {
    const info = async () => ({ cluster: { leader: 'nats-0', replicas } });
    return standingOf({ stream: 'ANY', manager: async () => ({ streams: { info } }) } as unknown as Log, server);
  };
  expect(await standing([peer], 'nats-0')).toBe('current');
  expect(await standing([peer])).toBe('current');
  expect(await standing([{ ...peer, lag: 5 }])).toBe('behind');
  expect(await standing([{ ...peer, active: nanos(3_000) }])).toBe('behind');
  expect(await standing([])).toBe('behind');
  expect(await standing([{ ...peer, active: nanos(6_000) }])).toBe('away');
  expect(await standing([{ ...peer, offline: true }])).toBe('away');
});
