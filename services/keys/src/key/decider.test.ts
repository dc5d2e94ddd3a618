import type { AccessEvent } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { type ChangeKey, type IssueKey, keyDecider, type RegenerateKey, type RevokeKey } from './decider.ts';

const [hashA, hashB] = ['a'.repeat(64), 'b'.repeat(64)];
const issued = {
  ...{ keyId: 7, spaceId: 1, projectId: 2, userId: 3, name: 'Assistant', scopes: ['*'], rateLimit: 1000 },
  ...{ keyHash: hashA, keyPrefix: 'sk-aaaa', expiresAt: null, agentId: null, commandId: 'c' },
};
const keyIssued: AccessEvent = { type: 'KeyIssued', data: issued };
const keyRevoked: AccessEvent = { type: 'KeyRevoked', data: { keyId: 7, keyHash: hashA } };

const ref = { keyId: 7, spaceId: 1, userId: 3 };
const issue: IssueKey = { type: 'IssueKey', key: issued };
const change = (what: Partial<ChangeKey>): ChangeKey => ({
  ...{ type: 'ChangeKey', ref, name: null, scopes: null, rateLimit: null, isActive: null },
  ...what,
});
const regenerate: RegenerateKey = {
  ...{ type: 'RegenerateKey', ref, commandId: 'd' },
  mark: { keyHash: hashB, keyPrefix: 'sk-bbbb' },
};
const revoke: RevokeKey = { type: 'RevokeKey', ref };

function decide(command: IssueKey | ChangeKey | RegenerateKey | RevokeKey, ...history: AccessEvent[]) {
  return keyDecider.decide(command, history.reduce(keyDecider.evolve, keyDecider.initialState));
}

it('issues a key', () => {
  expect(decide(issue)).toEqual([keyIssued]);
});

it('gives the record of a repeated command another key', () => {
  const again = { ...issue, key: { ...issued, keyHash: hashB, keyPrefix: 'sk-bbbb' } };
  const data = { keyId: 7, keyHash: hashB, keyPrefix: 'sk-bbbb', replacedKeyHash: hashA, commandId: 'c' };
  expect(decide(again, keyIssued)).toEqual([{ type: 'KeyRegenerated', data }]);
});

it('changes what is given, and says all that holds from then on', () => {
  const data = { keyId: 7, keyHash: hashA, name: 'Other', scopes: ['*'], rateLimit: 1000, isActive: false };
  expect(decide(change({ name: 'Other', isActive: false }), keyIssued)).toEqual([{ type: 'KeyChanged', data }]);
});

it('appends nothing when nothing changes, so that retries are safe', () => {
  const same = change({ name: 'Assistant', scopes: ['*'], rateLimit: 1000, isActive: true });
  expect(decide(same, keyIssued)).toEqual([]);
});

it('replaces the key that holds now', () => {
  const first = decide(regenerate, keyIssued);
  const [second] = decide({ ...regenerate, mark: { keyHash: hashA, keyPrefix: 'sk-aaaa' } }, keyIssued, ...first);
  expect(second).toMatchObject({ data: { keyHash: hashA, replacedKeyHash: hashB } });
});

it('keeps what was changed when the key is replaced', () => {
  const changed = decide(change({ isActive: false, rateLimit: 5 }), keyIssued);
  const history = [keyIssued, ...changed, ...decide(regenerate, keyIssued, ...changed)];
  const key = history.reduce(keyDecider.evolve, keyDecider.initialState);
  expect(key).toMatchObject({ isActive: false, rateLimit: 5, keyHash: hashB, keyPrefix: 'sk-bbbb' });
});

it('revokes the key that holds now', () => {
  const regenerated = decide(regenerate, keyIssued);
  const revoked = [{ type: 'KeyRevoked', data: { keyId: 7, keyHash: hashB } }];
  expect(decide(revoke, keyIssued, ...regenerated)).toEqual(revoked);
});

it.each([change({ name: 'x' }), regenerate, revoke, issue])('finds no revoked key for $type', (command) => {
  expect(() => decide(command, keyIssued, keyRevoked)).toThrow(expect.objectContaining({ code: 'key-not-found' }));
});

it.each([change({ name: 'x' }), regenerate, revoke])('finds no key of another space for $type', (command) => {
  const elsewhere = { ...command, ref: { ...ref, spaceId: 9 } };
  expect(() => decide(elsewhere, keyIssued)).toThrow('API key not found');
  expect(() => decide(command)).toThrow('API key not found');
});

it.each([
  [change({ name: 'x' }), 'You can only edit your own API keys'],
  [regenerate, 'You can only regenerate your own API keys'],
  [revoke, 'You can only delete your own API keys'],
])("leaves somebody else's key alone: $0.type", (command, message) => {
  const stranger = { ...command, ref: { ...ref, userId: 9 } };
  expect(() => decide(stranger, keyIssued)).toThrow(expect.objectContaining({ code: 'key-not-yours', message }));
});
