import type { MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { expect, it } from 'vitest';
import { createLogWriter } from '../testing/events.ts';
import { provenanceOf } from './unit-origin.ts';

const by = (change: Partial<Recorded<MemoryEvent>>) =>
  provenanceOf({ ...createLogWriter().forgotten('u'), ...change } as Recorded<MemoryEvent>);

it('names the event, the request and the key or user', () => {
  expect(by({ actor: 'key:12', correlationId: 'r' })).toEqual({
    event: {
      stream: 'MEMORY',
      sequence: 1,
      id: 'event-1',
      type: 'UnitForgotten',
      time: expect.stringMatching(/^2026-01-01T/),
    },
    request_id: 'r',
    principal: { kind: 'key', id: 12 },
  });
  expect(by({ actor: 'user:7' }).principal).toEqual({ kind: 'user', id: 7 });
});

it('has null for what an event of an earlier release, or of a caller without credentials, does not say', () => {
  expect(by({ actor: undefined, correlationId: '' })).toMatchObject({ request_id: null, principal: null });
  for (const actor of ['', 'key:', 'key:0', 'key:1x', 'service:1', 'sk-0123456789abcdef0123456789abcdef'])
    expect([actor, by({ actor }).principal]).toEqual([actor, null]);
});
