import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../app/query-client.ts';
import type { Dropped } from './dropped-files.ts';
import { type RunningImport, startImport, stopImport } from './running-import.ts';

vi.hoisted(() => vi.stubGlobal('location', { origin: 'http://127.0.0.1' }));
beforeEach(() => {
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined);
});
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

const nothing: Dropped = { files: [], faults: [] };
const current = () => queryClient.getQueryData<RunningImport | null>(['import']);

/** Drops something whose files are found when the test says so. */
function drop() {
  const { promise, resolve } = Promise.withResolvers<Dropped>();
  const find = vi.fn(() => promise);
  return { find, found: resolve, ended: startImport({ agentId: 'ana', find, format: undefined }) };
}

test('an import runs from the drop on, and another one does not begin beside it', async () => {
  const first = drop();
  expect(current()).toMatchObject({ agentId: 'ana', status: 'finding' });
  const second = drop();
  await second.ended;
  expect(second.find).not.toHaveBeenCalled();
  first.found({ files: [], faults: [{ place: 'a.md', reason: 'it cannot be read' }] });
  await vi.waitFor(() => expect(current()?.status).toBe('running'));
  expect(drop().find).not.toHaveBeenCalled();
  stopImport();
  await first.ended;
  expect(current()?.status).toBe('stopped');
});

test('a drop without files leaves the result of the import before it', async () => {
  const before = { agentId: 'ana', status: 'done', stored: 3 };
  queryClient.setQueryData(['import'], before);
  const empty = drop();
  expect(current()?.status).toBe('finding');
  empty.found(nothing);
  await empty.ended;
  expect(current()).toEqual(before);
});
