import type { AccessEvent, KeyRecord } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { foldEvent } from '@mneme/read-models';
import { expect, it } from 'vitest';
import { keyRecordRules } from './api-keys.ts';

const [hashA, hashB] = ['a'.repeat(64), 'b'.repeat(64)];
const issued: AccessEvent = {
  type: 'KeyIssued',
  data: {
    ...{ keyId: 7, spaceId: 1, projectId: 2, userId: 3, name: 'Assistant', scopes: ['*'], rateLimit: 1000 },
    ...{ keyHash: hashA, keyPrefix: 'sk-aaaa', expiresAt: null, agentId: 'ana', commandId: 'c' },
  },
};
const deactivated: AccessEvent = {
  type: 'KeyChanged',
  data: { keyId: 7, keyHash: hashA, name: 'x', scopes: ['memory:read'], rateLimit: 5, isActive: false },
};
const regenerated: AccessEvent = {
  type: 'KeyRegenerated',
  data: { keyId: 7, keyHash: hashB, keyPrefix: 'sk-bbbb', replacedKeyHash: hashA, commandId: 'd' },
};
const revoked: AccessEvent = { type: 'KeyRevoked', data: { keyId: 7, keyHash: hashB } };

/** The events as they stand in the log from sequence 1 on. */
function recorded(...events: AccessEvent[]): Recorded<AccessEvent>[] {
  return events.map((event, index) => ({ ...event, position: { stream: 'ACCESS', sequence: index + 1 } }) as never);
}

function fold(events: Recorded<AccessEvent>[], records = new Map<string, KeyRecord>()) {
  for (const event of events) foldEvent(keyRecordRules, records, event);
  return records;
}

const common = { keyId: 7, spaceId: 1, userId: 3, agentId: 'ana', expiresAt: null };

it('a key goes from one record to the next, and ends in both', () => {
  const records = fold(recorded(issued, deactivated, regenerated, revoked));
  const limits = { scopes: ['memory:read'], rateLimit: 5 };
  expect(Object.fromEntries(records)).toEqual({
    [hashA]: { ...common, ...limits, state: 'replaced', sequence: 3 },
    [hashB]: { ...common, ...limits, state: 'revoked', sequence: 4 },
  });
});

it('a new key is as active as the one that it replaces', () => {
  expect(fold(recorded(issued, deactivated, regenerated)).get(hashB)?.state).toBe('inactive');
  expect(fold(recorded(issued, regenerated)).get(hashB)?.state).toBe('active');
});

it('events that are applied again, in part or in whole, change nothing', () => {
  const events = recorded(issued, deactivated, regenerated, revoked);
  const records = fold(events);
  const before = new Map(records);
  for (let from = 0; from < events.length; from += 1) expect(fold(events.slice(from), records)).toEqual(before);
});

it('a batch that broke off after any of its writes ends up the same', () => {
  const events = recorded(issued, regenerated, revoked);
  const whole = fold(events);
  for (const written of [[hashA], [hashB]]) {
    const part = new Map([...whole].filter(([key]) => written.includes(key)));
    expect(fold(events, part)).toEqual(whole);
  }
});
