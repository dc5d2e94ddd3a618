import { Mneme } from '@mneme/client';
import { expect, test } from 'vitest';
import { documentFound, type Fault, type Found, faultFound, leftOut } from './found.ts';
import { importDocuments } from './import-documents.ts';

async function dryRun(...found: readonly Found[]) {
  const faults: Fault[] = [];
  const all = (async function* () {
    yield* found;
  })();
  const { signal } = new AbortController();
  const summary = await importDocuments(all, { agent: undefined, signal, onFault: (fault) => faults.push(fault) });
  return { ...summary, named: faults };
}

const found = (id: string, ...contents: readonly string[]) =>
  documentFound({ id, place: `${id}.txt`, items: contents.map((content) => ({ content })) });

test('a dry run counts what would be stored', async () => {
  const summary = await dryRun(found('a', 'one', 'two'), leftOut, found('b', 'three'), faultFound('c.txt', 'broken'));
  expect(summary).toMatchObject({ documents: { read: 2, stored: 0 }, items: 3, leftOut: 1, faults: 1 });
  expect(summary.named).toEqual([{ place: 'c.txt', reason: 'broken' }]);
});

test('progress counts a document when the server has decided about it, not when it is read', async () => {
  const { promise: stored, resolve: answer } = Promise.withResolvers<Response>();
  const storing = Promise.withResolvers<void>();
  const send = async (_: unknown, { method }: RequestInit) => {
    if (method === 'GET') return Response.json({ items: [], total: 0 });
    storing.resolve();
    return stored;
  };
  const agent = new Mneme({ fetch: send as typeof fetch, retries: 0 }).agent('a');
  const { signal } = new AbortController();
  const done: number[] = [];
  const all = (async function* () {
    yield { ...found('a', 'one'), bytes: 7 };
    yield { ...leftOut, bytes: 2 };
  })();
  const deps = { agent, signal, onFault: () => undefined, onDone: (bytes: number) => done.push(bytes) };
  const importing = importDocuments(all, deps);
  await storing.promise;
  await expect.poll(() => done).toEqual([2]);
  answer(Response.json({ detail: 'No' }, { status: 400 }));
  await importing;
  expect(done).toEqual([2, 7]);
});

test('a document that is found again is taken once; another one of its name is named', async () => {
  const summary = await dryRun(found('a', 'one'), found('a', 'one'), found('a', 'two'));
  expect(summary).toMatchObject({ documents: { read: 1 }, repeated: 1, faults: 1 });
  expect(summary.named).toEqual([{ place: 'a.txt', reason: 'another document of this import is also called a' }]);
});

test('a document that no request can name is a fault of its own', async () => {
  const summary = await dryRun(found('.', 'one'), found('..', 'two'), found('...', 'three'), found('a/..', 'four'));
  expect(summary).toMatchObject({ documents: { read: 2 }, faults: 2 });
  expect(summary.named).toEqual([
    { place: '..txt', reason: 'a document cannot be called "."' },
    { place: '...txt', reason: 'a document cannot be called ".."' },
  ]);
});

test('documents that the server would not take are named before they are sent', async () => {
  const large = found('large', ...Array.from({ length: 21 }, () => 'x'.repeat(1_024 ** 2)));
  const summary = await dryRun(large, found('n'.repeat(1_025), 'one'), found('ok', 'two'));
  expect(summary).toMatchObject({ documents: { read: 1 }, faults: 2 });
  expect(summary.named.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('more than 20 MiB'),
    expect.stringContaining('more than 1024 characters'),
  ]);
});
