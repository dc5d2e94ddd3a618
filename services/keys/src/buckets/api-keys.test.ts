import type { AccessEvent, AccessEventOf, KeyRecord } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { foldEvent } from '@mneme/read-models';
import { expect, it } from 'vitest';
import { hashA, hashB, keyChanged, newKey, recorded, keyRegenerated as regenerated } from '../testing/key-events.ts';
import { apiKeyRules } from './api-keys.ts';

const issued: AccessEvent = { type: 'KeyIssued', data: newKey({ agentId: 'ana' }) };
const deactivated = keyChanged({ name: 'x', scopes: ['memory:read'], rateLimit: 5, isActive: false });
const revoked: AccessEvent = { type: 'KeyRevoked', data: { keyId: 7, keyHash: hashB } };

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

const until = '2026-01-02T00:00:00.000Z';
const hashC = 'c'.repeat(64);
const withOverlap: AccessEvent = {
  type: 'KeyRegenerated',
  data: {
    keyId: 7,
    keyHash: hashB,
    keyPrefix: 'sk-bbbb',
    replacedKeyHash: hashA,
    overlap: { keyHash: hashA, until },
    commandId: 'd',
  },
};
const both = keyChanged({ keyHash: hashB, oldKeyHash: hashA, scopes: ['memory:read'], rateLimit: 5, isActive: false });

it('an old key is valid for a while beside the new one, which its requests count for', () => {
  const records = given(recorded(issued, withOverlap));
  expect(records.get(hashA)).toMatchObject({ state: 'active', expiresAt: until, countedAs: hashB });
  expect(records.get(hashB)).toEqual({ ...given(recorded(issued)).get(hashA), sequence: 2 });
  const changed = given(recorded(issued, withOverlap, both));
  for (const hash of [hashA, hashB]) {
    expect(changed.get(hash)).toMatchObject({ state: 'inactive', scopes: ['memory:read'], rateLimit: 5, sequence: 3 });
  }
  const early = given(recorded({ ...issued, data: newKey({ expiresAt: '2026-01-01T00:00:00.000Z' }) }, withOverlap));
  expect(early.get(hashA)?.expiresAt).toBe('2026-01-01T00:00:00.000Z');
});

it('an old key ends with the next replacement, and with its record', () => {
  const data = { keyId: 7, keyHash: hashC, keyPrefix: 'sk-cccc', replacedKeyHash: hashB, commandId: 'e' };
  const next: AccessEvent = { type: 'KeyRegenerated', data: { ...data, endedKeyHash: hashA } };
  const replaced = given(recorded(issued, withOverlap, next));
  expect([hashA, hashB, hashC].map((hash) => replaced.get(hash)?.state)).toEqual(['replaced', 'replaced', 'active']);
  expect(replaced.get(hashC)).toMatchObject({ expiresAt: null });
  expect(replaced.get(hashC)).not.toHaveProperty('countedAs');
  const repeated: AccessEvent = { type: 'KeyRegenerated', data: { ...data, overlap: { keyHash: hashA, until } } };
  const kept = given(recorded(issued, withOverlap, repeated));
  expect(kept.get(hashA)).toMatchObject({ state: 'active', expiresAt: until, countedAs: hashC });
  expect(kept.get(hashB)?.state).toBe('replaced');
  const gone: AccessEvent = { type: 'KeyRevoked', data: { keyId: 7, keyHash: hashB, oldKeyHash: hashA } };
  const revokedBoth = given(recorded(issued, withOverlap, gone));
  expect([hashA, hashB].map((hash) => revokedBoth.get(hash)?.state)).toEqual(['revoked', 'revoked']);
});

it('an old key stays counted as one that a service of an earlier release has ended, which does not name it', () => {
  const { oldKeyHash, ...ofNewKey } = (both as AccessEventOf<'KeyChanged'>).data;
  const next = { keyId: 7, keyHash: hashC, keyPrefix: 'sk-cccc', replacedKeyHash: hashB, commandId: 'e' };
  for (const [event, state] of [
    [{ type: 'KeyChanged', data: ofNewKey }, 'inactive'],
    [{ type: 'KeyRegenerated', data: next }, 'replaced'],
    [revoked, 'revoked'],
  ] as const) {
    const records = given(recorded(issued, withOverlap, event));
    // The gateway refuses a key when the one that it is counted as is not valid.
    expect(records.get(hashA)).toMatchObject({ countedAs: hashB });
    expect(records.get(hashB)).toMatchObject({ state });
    expect(records.get(hashB)).not.toHaveProperty('countedAs');
  }
});

it('an overlap that was written in part ends up the same', () => {
  const events = recorded(issued, withOverlap);
  const whole = given(events);
  // The new key is written before the old one.
  expect(apiKeyRules.isEnding?.(whole.get(hashA) as KeyRecord)).toBe(true);
  const part = new Map([...whole].filter(([key]) => key === hashB));
  expect(given(events, part)).toEqual(whole);
});
