import { type Agent, type Item, MnemeError } from '@mneme/client';
import { expect, test } from 'vitest';
import { sha256, textOf } from './batches.ts';
import { type KnownDocument, storeDocument } from './store-document.ts';

interface Sent {
  readonly key: string | undefined;
  readonly mode: string | undefined;
  readonly items: number;
}

/** An agent whose operations end with these statuses, one after another, and then are completed. */
function scriptedAgent(...statuses: readonly string[]) {
  const script = [...statuses];
  const sent: Sent[] = [];
  const retried: string[] = [];
  let isDismissed = false;
  let content: Item[] = [];
  const agent = {
    id: 'alice',
    remember: async (items: Item[], { mode, idempotencyKey }: { mode?: string; idempotencyKey?: string }) => {
      sent.push({ key: idempotencyKey, mode, items: items.length });
      content = mode === 'append' ? [...content, ...items] : items;
      return { operation_id: `operation-${sent.length}` };
    },
    operations: {
      wait: async () => {
        const status = script.shift() ?? 'completed';
        isDismissed = status === 'dismissed';
        return { status: isDismissed ? 'failed' : status, error_message: 'no model' };
      },
      retry: async (id: string) => {
        if (isDismissed) throw new MnemeError({ status: 404, code: 'NOT_FOUND', detail: `Operation ${id} not found` });
        retried.push(id);
        return { status: 'pending' };
      },
    },
    documents: {
      get: async (_id: string, { text = true }: { text?: boolean } = {}) => {
        if (text) throw new MnemeError({ status: 413, code: 'PAYLOAD_TOO_LARGE', detail: 'The text is too long' });
        return { content_hash: sha256(textOf(content)) };
      },
    },
  };
  return { agent: agent as unknown as Agent, sent, retried };
}

const document = { id: 'notes', place: 'notes.md', items: [{ content: 'One.' }, { content: 'Two.' }] };

function store({ agent }: { agent: Agent }, known?: KnownDocument, items: readonly Item[] = document.items) {
  const deps = { agent, known: new Map(known && [['notes', known]]), signal: new AbortController().signal };
  return storeDocument(deps, { ...document, items });
}

const hash = sha256('One.\nTwo.');
const older = { hash: sha256('Older.'), updatedAt: '2026-01-01T00:00:00.000Z' };

test('a document that is there with the same text is not sent, also if its parts were appended', async () => {
  const scripted = scriptedAgent();
  expect(await store(scripted, { ...older, hash })).toBe('unchanged');
  expect(scripted.sent).toEqual([]);
  await store(scripted);
  expect(await store(scripted, { ...older, hash: null })).toBe('unchanged');
  expect(scripted.sent).toHaveLength(1);
});

test('keys are the same for the same content and the same state of the server, and for nothing else', async () => {
  const keyOf = async (known?: KnownDocument, items?: readonly Item[]) => {
    const scripted = scriptedAgent();
    await store(scripted, known, items);
    return scripted.sent[0]?.key;
  };
  expect(await keyOf()).toBe(await keyOf());
  const later = { ...older, updatedAt: '2026-01-02T00:00:00.000Z' };
  const dated = document.items.map((item) => ({ ...item, eventDate: '2026-01-01T00:00:00.000Z' }));
  const keys = [await keyOf(), await keyOf(older), await keyOf(later), await keyOf(undefined, dated)];
  expect(new Set(keys).size).toBe(4);
});

test('a batch that failed is retried once, and named if it fails again', async () => {
  const once = scriptedAgent('failed');
  expect(await store(once)).toBe('stored');
  expect(once).toMatchObject({ retried: ['operation-1'], sent: [{ items: 2 }] });
  await expect(store(scriptedAgent('failed', 'failed'))).rejects.toThrow('the server could not store it: no model');
});

test.each(['cancelled', 'dismissed'])('a batch that was %s is sent with another key', async (status) => {
  const scripted = scriptedAgent(status);
  expect(await store(scripted, older)).toBe('replaced');
  const keys = scripted.sent.map(({ key }) => key);
  expect(new Set(keys).size).toBe(2);
});

test('many items are sent in batches, the first of which replaces', async () => {
  const scripted = scriptedAgent();
  const items = Array.from({ length: 2_001 }, (_, index) => ({ content: `Item ${index}` }));
  expect(await store(scripted, undefined, items)).toBe('stored');
  expect(scripted.sent.map(({ mode, items: count }) => [mode, count])).toEqual([
    ['replace', 1_000],
    ['append', 1_000],
    ['append', 1],
  ]);
  const large = Array.from({ length: 5 }, () => ({ content: 'x'.repeat(1_024 ** 2 - 100) }));
  const other = scriptedAgent();
  await store(other, undefined, large);
  expect(other.sent.map(({ items: count }) => count)).toEqual([2, 2, 1]);
});
