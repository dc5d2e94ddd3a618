import type { AccessEvent } from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { describe, it } from 'vitest';
import { hashA, hashB, keyChanged, keyRegenerated, newKey } from '../testing/key-events.ts';
import { type ChangeKey, type IssueKey, keyDecider, type RegenerateKey, type RevokeKey } from './decider.ts';

const issued = newKey();
const markB = { keyHash: hashB, keyPrefix: 'sk-bbbb' };
const keyIssued: AccessEvent = { type: 'KeyIssued', data: issued };
const keyRevoked: AccessEvent = { type: 'KeyRevoked', data: { keyId: 7, keyHash: hashA } };
const ref = { keyId: 7, spaceId: 1, userId: 3 };
const issue: IssueKey = { type: 'IssueKey', key: issued };
const unchanged = { name: null, scopes: null, rateLimit: null, isActive: null };
const change = (changed: Partial<ChangeKey>): ChangeKey => ({ type: 'ChangeKey', ref, ...unchanged, ...changed });
const regenerate: RegenerateKey = { type: 'RegenerateKey', ref, overlapUntil: null, commandId: 'd', mark: markB };
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

it('gives the record no other key if that was regenerated since', () => {
  const command = { type: 'IssueKey', key: { ...issued, keyHash: 'c'.repeat(64), keyPrefix: 'sk-cccc' } } as const;
  anIssuedKey.given([keyRegenerated]).when(command).thenRefuses('key-regenerated');
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
    .when({ ...regenerate, mark: markC, commandId: 'e' })
    .then([{ type: 'KeyRegenerated', data: { ...data, commandId: 'e' } }]);
});

const until = '2026-01-02T00:00:00.000Z';
const overlap = { keyHash: hashA, until };
const regeneratedWithOverlap: AccessEvent = {
  type: 'KeyRegenerated',
  data: { keyId: 7, ...markB, replacedKeyHash: hashA, overlap, commandId: 'd' },
};
const markC = { keyHash: 'c'.repeat(64), keyPrefix: 'sk-cccc' };

it('leaves the replaced key valid for a while, and ends it with the next one', () => {
  anIssuedKey.when({ ...regenerate, overlapUntil: until }).then([regeneratedWithOverlap]);
  const data = { keyId: 7, ...markC, replacedKeyHash: hashB, endedKeyHash: hashA, commandId: 'e' };
  const again = { ...regenerate, mark: markC, commandId: 'e' };
  const inOverlap = anIssuedKey.given([regeneratedWithOverlap]);
  inOverlap.when(again).then([{ type: 'KeyRegenerated', data }]);
  const next = { keyHash: hashB, until };
  inOverlap
    .when({ ...again, overlapUntil: until })
    .then([{ type: 'KeyRegenerated', data: { ...data, overlap: next } }]);
});

it('a repeated command replaces the key that no one has seen, and not the overlap', () => {
  const data = { keyId: 7, ...markC, replacedKeyHash: hashB, overlap, commandId: 'd' };
  anIssuedKey
    .given([regeneratedWithOverlap])
    .when({ ...regenerate, mark: markC, overlapUntil: '2026-01-03T00:00:00.000Z' })
    .then([{ type: 'KeyRegenerated', data }]);
});

it('changes and revokes the old key of an overlap as well', () => {
  const inOverlap = anIssuedKey.given([regeneratedWithOverlap]);
  inOverlap
    .when(change({ isActive: false }))
    .then([keyChanged({ keyHash: hashB, isActive: false, oldKeyHash: hashA })]);
  inOverlap.when(revoke).then([{ type: 'KeyRevoked', data: { keyId: 7, keyHash: hashB, oldKeyHash: hashA } }]);
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
  [change({ isActive: false }), 'You can only edit your own API keys'],
])("refuses $0.type for another user's key", (command, message) => {
  const byAnother = { ...command, ref: { ...ref, userId: 9 } };
  anIssuedKey.when(byAnother).thenRefuses({ code: 'key-not-yours', message });
});

describe('where only owners of a space may have keys in it', () => {
  const deactivate = change({ isActive: false });
  const deactivated = [keyChanged({ isActive: false })];
  const by = <Command extends ChangeKey | RegenerateKey | RevokeKey>(
    asking: { userId?: number; ownsSpace: boolean },
    command: Command,
  ) => ({ ...command, ref: { ...ref, ...asking } });

  it('the owner of the space ends the keys of others, and does nothing else with them', () => {
    const owner = { userId: 9, ownsSpace: true };
    anIssuedKey.when(by(owner, deactivate)).then(deactivated);
    anIssuedKey.when(by(owner, revoke)).then([keyRevoked]);
    const others = [change({ isActive: true }), change({ isActive: false, scopes: ['*'] }), change({ name: 'x' })];
    for (const command of [...others, regenerate]) anIssuedKey.when(by(owner, command)).thenRefuses('key-not-yours');
    anIssuedKey.given([keyRevoked]).when(by(owner, revoke)).thenRefuses('key-not-found');
    anIssuedKey.when({ ...revoke, ref: { ...ref, ...owner, spaceId: 9 } }).thenRefuses('key-not-found');
  });

  it('a user who does not own the space ends keys from before, and does nothing else with them', () => {
    const maker = { ownsSpace: false };
    anIssuedKey.when(by(maker, deactivate)).then(deactivated);
    anIssuedKey.when(by(maker, revoke)).then([keyRevoked]);
    for (const command of [change({ name: 'x' }), change({ isActive: true }), regenerate]) {
      anIssuedKey.when(by(maker, command)).thenRefuses('key-space-not-yours');
    }
  });

  it('no one else does anything with them', () => {
    const other = { userId: 9, ownsSpace: false };
    for (const command of [deactivate, change({ name: 'x' }), regenerate, revoke]) {
      anIssuedKey.when(by(other, command)).thenRefuses('key-not-yours');
    }
  });
});
