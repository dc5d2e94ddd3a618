import type { AccessEvent, KeyRecord } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { foldEvent } from '@mneme/read-models';
import { expect, it } from 'vitest';
import { apiKeyRules } from './api-keys.ts';

const [hashA, hashB] = ['a'.repeat(64), 'b'.repeat(64)];
const issued: AccessEvent = {
  type: 'KeyIssued',
  data: {
    keyId: 7,
    spaceId: 1,
    projectId: 2,
    userId: 3,
    name: 'Assistant',
    scopes: ['*'],
    rateLimit: 1000,
    keyHash: hashA,
    keyPrefix: 'sk-aaaa',
    expiresAt: null,
    agentId: 'ana',
    commandId: 'c',
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

/** The events as they are read from the log, from sequence 1 on. */
function recorded(...events: AccessEvent[]): Recorded<AccessEvent>[] {
  return events.map((event, index) => ({ ...event, position: { stream: 'ACCESS', sequence: index + 1 } }) as never);
}

/** The records after the events were applied. */
function given(events: Recorded<AccessEvent>[], records = new Map<string, KeyRecord>()) {
  for (const event of events) foldEvent(apiKeyRules, records, event);
  return records;
}

const common = { keyId: 7, spaceId: 1, userId: 3, agentId: 'ana', expiresAt: null };

it('a regenerated key has a record for each secret, and revoking it ends both', () => {
  const records = given(recorded(issued, deactivated, regenerated, revoked));
  const limits = { scopes: ['memory:read'], rateLimit: 5 };
  expect(Object.fromEntries(records)).toEqual({
    [hashA]: { ...common, ...limits, state: 'replaced', sequence: 3 },
    [hashB]: { ...common, ...limits, state: 'revoked', sequence: 4 },
  });
});

it('a new secret is active if the one that it replaces was', () => {
  expect(given(recorded(issued, deactivated, regenerated)).get(hashB)?.state).toBe('inactive');
  expect(given(recorded(issued, regenerated)).get(hashB)?.state).toBe('active');
});

it('events that are applied again, all or some of them, change nothing', () => {
  const events = recorded(issued, deactivated, regenerated, revoked);
  const records = given(events);
  const before = new Map(records);
  for (let from = 0; from < events.length; from += 1) expect(given(events.slice(from), records)).toEqual(before);
});

it('a batch that was interrupted after any of its writes ends up the same', () => {
  const events = recorded(issued, regenerated, revoked);
  const whole = given(events);
  for (const written of [[hashA], [hashB]]) {
    const part = new Map([...whole].filter(([key]) => written.includes(key)));
    expect(given(events, part)).toEqual(whole);
  }
});
