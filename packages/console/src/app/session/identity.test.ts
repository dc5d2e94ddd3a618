import type { Session } from '@mneme/client';
import { expect, test } from 'vitest';
import { actAs, endActing, fetchAs, identity, identityOf, untilOver } from './identity.ts';

const session: Session = {
  signed_in_as: null,
  user_id: null,
  is_operator: false,
  key: null,
  expires_at: null,
  memory_is_open: true,
  identity_provider: false,
};

test('callers are named as the server names them', () => {
  expect(identityOf(session)).toBe('public');
  expect(identityOf({ ...session, signed_in_as: 'user', user_id: 7 })).toBe('user:7');
  const key = { id: 3, scopes: ['*'], agent_id: null };
  expect(identityOf({ ...session, signed_in_as: 'key', key })).toBe('key:3');
});

test('what was begun for one caller ends with it, and never asks for another', async () => {
  const sent: (string | null)[] = [];
  const send: typeof fetch = async (_input, init) => {
    sent.push(new Headers(init?.headers).get('mneme-console'));
    return new Response();
  };
  actAs('user:7');
  const begun = identity();
  const signal = untilOver();
  const ofPage = fetchAs(identity, send);
  const ofImport = fetchAs(() => begun, send);
  const ask = async () => {
    for (const each of [ofPage, ofImport]) await each('/api/agents', { headers: { 'mneme-console': '1' } });
    return sent.splice(0);
  };
  expect(await ask()).toEqual(['user:7', 'user:7']);
  actAs('user:7');
  expect(signal.aborted).toBe(false);
  actAs('user:8');
  expect(signal.aborted).toBe(true);
  expect(await ask()).toEqual(['user:8', 'user:7']);
});

test('after a session has ended the same caller can go on', () => {
  actAs('user:7');
  endActing();
  expect(untilOver().aborted).toBe(true);
  actAs('user:7');
  expect(untilOver().aborted).toBe(false);
});
