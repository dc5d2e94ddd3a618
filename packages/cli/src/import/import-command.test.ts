import { expect, test } from 'vitest';
import { describeSummary } from './import-command.ts';

const documents = { stored: 2, replaced: 1, unchanged: 5, read: 0 };
const summary = { documents, items: 20, leftOut: 0, repeated: 0, faults: 0 };

test('an import ends with one line', () => {
  expect(describeSummary(summary, { isDryRun: false, passedOver: 0 })).toBe(
    '2 documents stored, 1 replaced, 5 unchanged, 0 faults.',
  );
  const more = { ...summary, leftOut: 3, repeated: 4, faults: 6 };
  expect(describeSummary(more, { isDryRun: false, passedOver: 7 })).toBe(
    '2 documents stored, 1 replaced, 5 unchanged, 4 repeated, 3 records left out, 7 files of other kinds passed over, 6 faults.',
  );
  const dry = { ...summary, documents: { ...documents, read: 8 } };
  expect(describeSummary(dry, { isDryRun: true, passedOver: 0 })).toBe(
    '8 documents with 20 items would be stored, unless they are there already, 0 faults.',
  );
});
