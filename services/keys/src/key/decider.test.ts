import type { AccessEvent } from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { it } from 'vitest';
import { type ChangeKey, type IssueKey, keyDecider, type RegenerateKey, type RevokeKey } from './decider.ts';

const [hashA, hashB] = ['a'.repeat(64), 'b'.repeat(64)];
const issued = {
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
  agentId: null,
  commandId: 'c',
};
const markB = { keyHash: hashB, keyPrefix: 'sk-bbbb' };
const keyIssued: AccessEvent = { type: 'KeyIssued', data: issued };
const keyRegenerated: AccessEvent = {
  type: 'KeyRegenerated',
  data: { keyId: 7, ...markB, replacedKeyHash: hashA, commandId: 'd' },
};
const keyRevoked: AccessEvent = { type: 'KeyRevoked', data: { keyId: 7, keyHash: hashA } };
const keyChanged = (changed: object): AccessEvent => ({
  type: 'KeyChanged',
  data: { keyId: 7, keyHash: hashA, name: 'Assistant', scopes: ['*'], rateLimit: 1000, isActive: true, ...changed },
});

const ref = { keyId: 7, spaceId: 1, userId: 3 };
const issue: IssueKey = { type: 'IssueKey', key: issued };
const unchanged = { name: null, scopes: null, rateLimit: null, isActive: null };
const change = (changed: Partial<ChangeKey>): ChangeKey => ({ type: 'ChangeKey', ref, ...unchanged, ...changed });
const regenerate: RegenerateKey = { type: 'RegenerateKey', ref, commandId: 'd', mark: markB };
const revoke: RevokeKey = { type: 'RevokeKey', ref };

const nothing = specify(keyDecider);
const anIssuedKey = nothing.given([keyIssued]);

it('issues a key', () => {
  nothing.when(issue).then([keyIssued]);
});

it('gives the record of a repeated command another key', () => {
  const data = { keyId: 7, ...markB, replacedKeyHash: hashA, commandId: 'c' };
  anIssuedKey.when({ type: 'IssueKey', key: { ...issued, ...markB } }).then([{ type: 'KeyRegenerated', data }]);
});

it('changes what is given and keeps the rest', () => {
  const changed = { name: 'Other', isActive: false };
  anIssuedKey.when(change(changed)).then([keyChanged(changed)]);
});

it('appends nothing when nothing changes, so retries are safe', () => {
  anIssuedKey.when(change({ name: 'Assistant', scopes: ['*'], rateLimit: 1000, isActive: true })).then([]);
});

it('replaces the present key, also one that is a replacement itself', () => {
  anIssuedKey.when(regenerate).then([keyRegenerated]);
  const markC = { keyHash: 'c'.repeat(64), keyPrefix: 'sk-cccc' };
  const data = { keyId: 7, ...markC, replacedKeyHash: hashB, commandId: 'd' };
  anIssuedKey
    .given([keyRegenerated])
    .when({ ...regenerate, mark: markC })
    .then([{ type: 'KeyRegenerated', data }]);
});

it('keeps changes when the key is replaced', () => {
  const changed = { isActive: false, rateLimit: 5 };
  anIssuedKey
    .given([keyChanged(changed), keyRegenerated])
    .when(change({ name: 'Other' }))
    .then([keyChanged({ ...changed, keyHash: hashB, name: 'Other' })]);
});

it('revokes the present key', () => {
  anIssuedKey
    .given([keyRegenerated])
    .when(revoke)
    .then([{ type: 'KeyRevoked', data: { keyId: 7, keyHash: hashB } }]);
});

it.each([change({ name: 'x' }), regenerate, revoke, issue])('refuses $type for a revoked key', (command) => {
  anIssuedKey.given([keyRevoked]).when(command).thenRefuses('key-not-found');
});

it.each([change({ name: 'x' }), regenerate, revoke])('refuses $type for a missing key or another space', (command) => {
  anIssuedKey.when({ ...command, ref: { ...ref, spaceId: 9 } }).thenRefuses('key-not-found');
  nothing.when(command).thenRefuses('key-not-found');
});

it.each([
  [change({ name: 'x' }), 'You can only edit your own API keys'],
  [regenerate, 'You can only regenerate your own API keys'],
  [revoke, 'You can only delete your own API keys'],
])("refuses $0.type for another user's key", (command, message) => {
  const byAnother = { ...command, ref: { ...ref, userId: 9 } };
  anIssuedKey.when(byAnother).thenRefuses({ code: 'key-not-yours', message });
});
