import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { secretsKey } from './process/config.ts';
import { createSealing, UnsealError } from './sealing.ts';

const sealing = createSealing(randomBytes(32));

describe('a sealed text', () => {
  it.each(['', 'whsec_x', '日本 😀', 'a'.repeat(10_000)])('comes back as it was', (text) => {
    const sealed = sealing.seal(text, 'token 1');
    expect(sealing.open(sealed, 'token 1')).toBe(text);
    if (text !== '') expect(sealed).not.toContain(text);
  });

  it('looks different every time', () => {
    expect(sealing.seal('a', 'token 1')).not.toBe(sealing.seal('a', 'token 1'));
  });

  it('does not open with another key, for another purpose, changed or cut short', () => {
    const sealed = sealing.seal('secret', 'token 1');
    const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const bad of [changed, sealed.slice(0, 20), sealed.slice(3), '', 'v1.']) {
      expect(() => sealing.open(bad, 'token 1')).toThrow(UnsealError);
    }
    expect(() => sealing.open(sealed, 'token 2')).toThrow(UnsealError);
    expect(() => createSealing(randomBytes(32)).open(sealed, 'token 1')).toThrow(UnsealError);
  });
});

describe('the key in the environment', () => {
  const bytes = randomBytes(32);

  it.each(['hex', 'base64', 'base64url'] as const)('may be %s', (encoding) => {
    expect(Buffer.from(secretsKey.parse(bytes.toString(encoding)))).toEqual(bytes);
  });

  it.each(['', 'secret', 'a'.repeat(63), randomBytes(31).toString('base64'), randomBytes(33).toString('base64')])(
    'is refused when it is not 32 bytes: %s',
    (text) => {
      expect(secretsKey.safeParse(text).success).toBe(false);
    },
  );
});
