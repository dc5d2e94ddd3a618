import { expect, it } from 'vitest';
import { type ProcessedWebhook, type ProcessingCollections, ProcessingState } from './state.ts';

const webhook = (_id: number): ProcessedWebhook => ({ _id, tableId: _id, deduplicate: false, isDeleted: false });

/** The state over stored webhooks. @param onFind called while they are read */
function stateOver(stored: readonly ProcessedWebhook[], onFind: () => void = () => undefined) {
  const asked: number[][] = [];
  const find = ({ _id: { $in: ids } }: { _id: { $in: number[] } }) => ({
    toArray: async () => {
      asked.push(ids);
      onFind();
      return stored.filter(({ _id }) => ids.includes(_id));
    },
  });
  const rows = { webhooks: { find, namespace: 'test.webhooks' } } as unknown as ProcessingCollections;
  return { state: new ProcessingState(rows), asked };
}

it('knows cached webhooks also when another lane makes it forget while others are read', async () => {
  const { state, asked } = stateOver([webhook(1), webhook(2)], () => state.forget());
  state.remember([webhook(1)], new Map());
  const known = await state.webhooks(new Set([1, 2]));
  expect([...known.keys()].sort()).toEqual([1, 2]);
  expect(asked).toEqual([[2]]);
});

it('remembers nothing that was read before it had to forget', async () => {
  const stored = [webhook(1)];
  const { state } = stateOver(stored, () => state.forget());
  await state.webhooks(new Set([1]));
  // Another instance has changed it since.
  stored[0] = { ...webhook(1), isDeleted: true };
  expect((await state.webhooks(new Set([1]))).get(1)?.isDeleted).toBe(true);
});

it('asks for a webhook once', async () => {
  const { state, asked } = stateOver([webhook(1)]);
  await state.webhooks(new Set([1]));
  expect((await state.webhooks(new Set([1]))).get(1)).toEqual(webhook(1));
  expect(asked).toEqual([[1]]);
});
