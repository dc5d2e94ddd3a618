import { expect, it } from 'vitest';
import { Mneme } from '../mneme.ts';
import { json, scriptedFetch } from '../testing/scripted-fetch.ts';
import { type MessageLike, type RememberNodeOptions, rememberNode } from './nodes.ts';

function message(type: string, content: string, id: string): MessageLike {
  return { id, content, getType: () => type };
}

const question = message('human', 'Where does Ana live?', 'm1');
const answer = message('ai', 'In Lisbon.', 'm2');

interface Run extends RememberNodeOptions {
  readonly agent?: string;
  readonly thread?: string;
  readonly messages?: readonly MessageLike[];
}

/** The `Idempotency-Key` of what a node sends. */
async function keyOf({ agent = 'alice', thread = 't1', messages = [question, answer], ...options }: Run = {}) {
  const { fetch, sent } = scriptedFetch(json({}));
  await rememberNode(new Mneme({ fetch }).agent(agent), options)({ messages }, { configurable: { thread_id: thread } });
  return sent[0]?.headers.get('idempotency-key') ?? '';
}

it('has the same key for the same messages', async () => {
  expect(await keyOf({ metadata: { app: 'shop' } })).toBe(await keyOf({ metadata: { app: 'shop' } }));
});

it.each<[string, Run]>([
  ['agent', { agent: 'bob' }],
  ['document', { documentId: 'notes' }],
  ['thread', { thread: 't2' }],
  ['choice of roles', { roles: ['user'] }],
  ['metadata', { metadata: { app: 'shop' } }],
  ['text of the turn', { messages: [{ ...question, content: 'Where is Ana?' }, answer] }],
  ['last message', { messages: [question, { ...answer, id: 'm3' }] }],
])('has another key for another %s, also if ids are too long for it', async (_, run) => {
  expect(await keyOf(run)).not.toBe(await keyOf());
  const key = await keyOf(withLongIds(run));
  expect(key).not.toBe(await keyOf(withLongIds({})));
  expect(key).toMatch(/^[\x21-\x7e]{1,255}$/);
});

function withLongIds({ agent = 'alice', thread = 't1', ...run }: Run): Run {
  return { ...run, agent: agent + 'ü'.repeat(200), thread: thread + '/'.repeat(500) };
}
