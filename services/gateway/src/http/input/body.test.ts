import { maxBodyValues } from '@mneme/contracts';
import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import { excessOf, maxDepth, takeBody } from './body.ts';

const excess = (json: string) => excessOf(Buffer.from(json));
const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('JSON', () => {
  it.each([
    '',
    '1',
    '"x"',
    '{}',
    '[[],{"a":[1,2]}]',
    lists(maxDepth),
    `[${Array(maxBodyValues - 1)
      .fill(1)
      .join()}]`,
  ])('is fine: %.40s', (json) => expect(excess(json)).toBeUndefined());

  it('is too deep past its levels, of lists, objects or both', () => {
    for (const json of [lists(maxDepth + 1), '{"a":'.repeat(maxDepth + 1), '[{"a":'.repeat(maxDepth)]) {
      expect(excess(json)).toBe('depth');
    }
  });

  it('has too many values, whatever they are', () => {
    const many = (value: string) => `[${Array(maxBodyValues).fill(value).join()}]`;
    for (const value of ['1', 'null', '""', '[]', '{}']) expect(excess(many(value))).toBe('values');
    expect(excess(`{${Array.from({ length: maxBodyValues }, (_, index) => `"k${index}":0`).join()}}`)).toBe('values');
  });

  it('is fine if it is the largest batch, with a list of tags for each item', () => {
    const tags = Array.from({ length: 90 }, (_, index) => `tag-number-${index}`);
    const items = Array.from({ length: 1_000 }, () => ({
      content: 'x',
      role: 'user',
      metadata: { session: 's', tags },
    }));
    expect(excess(JSON.stringify({ agent_id: 'a', document_id: 'd', items }))).toBeUndefined();
  });

  it('is not misread if a string contains what looks like structure', () => {
    const structure = '[,{'.repeat(maxBodyValues);
    for (const text of [structure, `\\"${structure}`, `${structure}\\\\`, `\\\\\\"${structure}\\\\`]) {
      expect(excess(`{"a":"${text}","b":[1]}`)).toBeUndefined();
    }
  });

  it('may be cut off within a string', () => {
    for (const json of ['"', '"\\', '"\\"', '["a', `"${'\\'.repeat(1_001)}`]) expect(excess(json)).toBeUndefined();
  });
});

it('a body is taken once, so that a connection that is kept does not keep it', () => {
  const request = { body: Buffer.from('{}') } as Request;
  expect([takeBody(request)?.toString(), takeBody(request), request.body]).toEqual(['{}', undefined, undefined]);
});
