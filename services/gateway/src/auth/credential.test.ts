import { describe, expect, it } from 'vitest';
import { readCredential } from './credential.ts';

const key = `sk-${'0123456789abcdef'.repeat(2)}`;
const other = `sk-${'f'.repeat(32)}`;
const read = (headers: Record<string, string | string[]>) =>
  readCredential(Object.entries(headers).flatMap(([name, value]) => [value].flat().flatMap((each) => [name, each])));

describe('a credential', () => {
  it('is undefined without a header', () => expect(read({ 'x-request-id': key })).toBeUndefined());

  it.each([
    { authorization: `Bearer ${key}` },
    { authorization: `bearer ${key}` },
    { authorization: `BEARER   ${key}` },
    { 'x-api-key': key },
    { authorization: `Bearer ${key}`, 'x-api-key': key },
    { 'x-api-key': [key, key] },
  ])('is a key: %j', (headers) => expect(read(headers)).toEqual({ kind: 'key', text: key }));

  it('is a token when it is no key', () => {
    expect(read({ authorization: 'Bearer a.b.c' })).toEqual({ kind: 'token', text: 'a.b.c' });
  });

  it.each([
    { authorization: `Bearer sk-${'A'.repeat(32)}` },
    { authorization: `Bearer ${key.slice(0, -1)}` },
    { authorization: `Bearer ${key}0` },
    { authorization: 'Bearer sk-a.b.c' },
    { authorization: `Bearer ${key} x` },
    { authorization: `Bearer ${key}, Bearer ${key}` },
    { authorization: 'Bearer' },
    { authorization: 'Bearer ' },
    { authorization: '' },
    { authorization: key },
    { authorization: `Basic ${key}` },
    { authorization: `Bearer ${'x'.repeat(100_000)}` },
    { 'x-api-key': '' },
    { 'x-api-key': 'a.b.c' },
    { 'x-api-key': `${key}\n` },
    { 'x-api-key': `Bearer ${key}` },
  ])('is neither a key nor a token: %j', (headers) => expect(read(headers)?.kind).toBe('unknown'));

  it('in upper case is not tried as a key', () => {
    expect(read({ authorization: `Bearer ${key.toUpperCase()}` })?.kind).toBe('token');
    expect(read({ 'x-api-key': key.toUpperCase() })?.kind).toBe('unknown');
  });

  it.each([
    { authorization: `Bearer ${key}`, 'x-api-key': other },
    { authorization: 'Bearer a.b.c', 'x-api-key': key },
    { authorization: 'Basic YTpi', 'x-api-key': key },
    { authorization: [`Bearer ${key}`, `Bearer ${other}`] },
    { 'x-api-key': [key, other] },
  ])('is 400 when there are several that differ: %j', (headers) => {
    expect(() => read(headers)).toThrow(expect.objectContaining({ status: 400, code: 'BAD_REQUEST' }));
  });
});
