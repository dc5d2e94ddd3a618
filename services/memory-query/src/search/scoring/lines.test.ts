import { expect, it } from 'vitest';
import { linesOf, separateLines } from './lines.ts';

const lines = linesOf([
  { operationId: 'a', facts: 2, line: 'doc:1' },
  { operationId: '', facts: 0, line: 'doc:1' },
  { operationId: 'c', facts: 1, line: 'doc:1' },
  { operationId: 'z', facts: 1, line: 'doc:40' },
]);

it('a turn continues the line of the one before, also past one that failed', () => {
  expect(lines.positionOf({ operationId: 'a', fact: 1 })).toEqual({ line: 'doc:1', at: 1 });
  expect(lines.positionOf({ operationId: 'c', fact: 0 })).toEqual({ line: 'doc:1', at: 2 });
  expect(lines.factAt({ line: 'doc:1', at: 1 })).toEqual({ operationId: 'a', fact: 1 });
  expect(lines.factAt({ line: 'doc:1', at: 2 })).toEqual({ operationId: 'c', fact: 0 });
  expect(lines.factAt({ line: 'doc:1', at: 3 })).toBeUndefined();
  expect(lines.factAt({ line: 'doc:1', at: -1 })).toBeUndefined();
});

it('turns that are not next to each other are on different lines', () => {
  expect(lines.positionOf({ operationId: 'z', fact: 0 })).toEqual({ line: 'doc:40', at: 0 });
});

it('a batch that was not appended is a line of its own', () => {
  expect(lines.positionOf({ operationId: 'other', fact: 3 })).toEqual({ line: 'other', at: 3 });
  expect(separateLines.factAt({ line: 'other', at: 3 })).toEqual({ operationId: 'other', fact: 3 });
  expect(separateLines.factAt({ line: 'other', at: -1 })).toBeUndefined();
});
