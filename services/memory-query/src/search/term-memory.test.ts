import { createLexicalEncoder, type LexicalEncoder } from '@mneme/models';
import { describe, expect, it } from 'vitest';
import { createRows } from '../testing/rows.ts';
import { lexicalText } from '../units/lexical-text.ts';
import { maxRememberedBytes, TermMemory } from './term-memory.ts';

const rows = createRows();

/** An encoder that tells how often it was asked. */
function countingEncoder() {
  const encoder = createLexicalEncoder();
  const counting = { documents: 0 };
  const lexical: LexicalEncoder = {
    ...encoder,
    document: (text) => {
      counting.documents += 1;
      return encoder.document(text);
    },
  };
  return { lexical, counting };
}

describe('the terms of a unit', () => {
  it('are worked out once', () => {
    const { lexical, counting } = countingEncoder();
    const memory = new TermMemory(lexical);
    const unit = rows.unit('Alice likes black tea');
    const terms = memory.termsOf(unit);
    expect(memory.termsOf({ ...unit })).toBe(terms);
    expect(counting.documents).toBe(1);
    const { indices, values } = lexical.document(lexicalText(unit));
    expect([...terms]).toEqual(indices.map((id, index) => [id, values[index]]));
  });

  it.each([
    ['text', { text: 'Bob likes green tea' }],
    ['source', { source: 'I like rooibos' }],
    ['date', { eventDate: new Date('1999-01-01') }],
  ])('are those of its words when its %s has changed', (_, change) => {
    const lexical = createLexicalEncoder();
    const memory = new TermMemory(lexical);
    const unit = rows.unit('Alice likes black tea');
    memory.termsOf(unit);
    expect(memory.termsOf({ ...unit, ...change })).toEqual(new TermMemory(lexical).termsOf({ ...unit, ...change }));
  });
});

describe('what is remembered', () => {
  const template = rows.unit('');
  const unit = (index: number) => ({ ...template, text: `Alice bought cup ${index}`, _id: `unit-${index}` });

  it('stays within its bound, however many units are asked for', () => {
    const memory = new TermMemory(createLexicalEncoder());
    for (let index = 0; index < 40_000; index += 1) memory.termsOf(unit(index));
    expect(memory.bytes).toBeLessThanOrEqual(maxRememberedBytes);
    expect(memory.bytes).toBeGreaterThan(maxRememberedBytes / 2);
  });

  it('forgets what was not asked for the longest, and a text beyond the bound at once', () => {
    const { lexical, counting } = countingEncoder();
    const memory = new TermMemory(lexical, 2_000);
    for (const index of [1, 2, 1, 3]) memory.termsOf(unit(index));
    counting.documents = 0;
    memory.termsOf(unit(1));
    expect(counting.documents).toBe(0);
    memory.termsOf(unit(2));
    expect(counting.documents).toBe(1);
    memory.termsOf({ ...unit(4), text: 'x'.repeat(2_000) });
    expect(memory.bytes).toBe(0);
  });
});
