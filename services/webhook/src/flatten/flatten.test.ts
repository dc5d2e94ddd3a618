import { describe, expect, it } from 'vitest';
import { flatten } from './flatten.ts';

/** Column names with the JSON text of their values. */
function valuesOf(payload: string): Record<string, string> {
  return Object.fromEntries([...flatten(payload)].map(([name, { json }]) => [name, json]));
}

describe('keys become names', () => {
  const cases: [json: string, name: string][] = [
    ['"Total"', 'total'],
    ['""', '_'],
    ['"é"', '_'],
    ['"É"', '_'],
    ['"日本"', '__'],
    ['"9lives"', '9lives'],
    ['"A-B"', 'a_b'],
    ['"a b"', 'a_b'],
    ['"a.b"', 'a_b'],
    ['"$gt"', '_gt'],
    ['"_id"', '_id'],
    ['"id"', 'id'],
    ['"then"', 'then'],
    ['"constructor"', 'constructor'],
    ['"toString"', 'tostring'],
    ['"__proto__"', '__proto__'],
    ['"__pr\\u006fto__"', '__proto__'],
    ['"\\u0074ab"', 'tab'],
    ['"a\\u0000b"', 'a_b'],
    ['"a\\ud800"', 'a_'],
    ['"a\\n\\t"', 'a__'],
  ];

  it.each(cases)('%s', (json, name) => {
    expect([...flatten(`{${json}:1}`).keys()]).toEqual([name]);
  });

  it('are kept as the display name', () => {
    expect(flatten('{"Größe":{"In cm":1}}').get('gr__e_in_cm')?.displayName).toBe('Größe_In cm');
  });

  it('that are too long are truncated and get a hash, the same for the same name', () => {
    const long = 'Key '.repeat(100);
    const [name = ''] = flatten(JSON.stringify({ [long]: 1 })).keys();
    expect(name).toMatch(/^(key_)+k?e?y?_[\da-f]{16}$/);
    expect(name).toHaveLength(255);
    expect([...flatten(JSON.stringify({ [long.toUpperCase()]: 1 })).keys()]).toEqual([name]);
    expect([...flatten(JSON.stringify({ [`${long}x`]: 1 })).keys()]).not.toEqual([name]);
    const nested = { [long.slice(0, 399).trimEnd()]: { '': 1 } };
    expect([...flatten(JSON.stringify(nested)).keys()]).toEqual([name]);
    expect(flatten(JSON.stringify({ [long]: 1 })).get(name)?.displayName).toHaveLength(255);
    expect([...flatten(JSON.stringify({ ['a'.repeat(255)]: 1 })).keys()]).toEqual(['a'.repeat(255)]);
  });

  it('have a well-formed display name, also where it is truncated within a character', () => {
    const nameOf = (payload: object) => [...flatten(JSON.stringify(payload)).values()][0]?.displayName;
    const emoji = `${'k'.repeat(253)}😀😀`;
    expect(nameOf({ [emoji]: 1 })).toBe(`${'k'.repeat(253)}…`);
    expect(nameOf({ a: { [emoji.slice(2)]: 1 } })).toBe(`a_${'k'.repeat(251)}…`);
    expect(nameOf({ 'a\ud800': 1 })).toBe('a\ufffd');
  });

  it('that are long and have many members take no more memory than short ones', () => {
    const payload = JSON.stringify({ ['x'.repeat(500_000)]: Object.fromEntries(fields(1_000)) });
    expect(flatten(payload).size).toBe(1_000);
  });
});

describe('values', () => {
  const cases: [payload: string, values: Record<string, string>][] = [
    ['{"a":{"b":{"c":1},"d":2}}', { a_b_c: '1', a_d: '2' }],
    ['{"a":[1,{"b":2}]}', { a: '[1,{"b":2}]' }],
    ['{"a":[{"b":{}},"]}",[ ]]}', { a: '[{"b":{}},"]}",[ ]]' }],
    ['{"a":{}}', {}],
    ['{"a":{},"b":1}', { b: '1' }],
    ['{}', {}],
    ['{"":1,"a":{"":2}}', { _: '1', a_: '2' }],
    ['{"a":{"b":1},"a_b":2}', { a_b: '2' }],
    ['{"a_b":2,"a":{"b":1}}', { a_b: '1' }],
    ['{"A-B":1,"a b":2,"a_b":3}', { a_b: '3' }],
    ['{"a":1,"a":2}', { a: '2' }],
    ['{"a":{"x":1},"a":{"y":2}}', { a_y: '2' }],
    ['{"a":1,"A":2,"a":3}', { a: '3' }],
    ['{"a":{"b":1},"a_b":2,"a":{"b":3}}', { a_b: '3' }],
    ['{"a":[1],"A":2,"a":{"":3},"a":[4]}', { a: '[4]' }],
    ['{"x":{"a":1,"A":2,"a":3}}', { x_a: '3' }],
    ['{"n":9007199254740993,"e":1e400,"d":1.10,"m":-0}', { n: '9007199254740993', e: '1e400', d: '1.10', m: '-0' }],
    [' {\n"a" :\t"x\\"}" ,\r"b": true}\n', { a: '"x\\"}"', b: 'true' }],
    ['{"__proto__":{"constructor":1}}', { __proto___constructor: '1' }],
    [
      '{"received_at":"x","source_ip":1,"raw_payload":null}',
      { received_at: '"x"', source_ip: '1', raw_payload: 'null' },
    ],
    ['\ufeff{"a":1}', { a: '1' }],
    ['{"a":"\\\\","b":2}', { a: '"\\\\"', b: '2' }],
  ];

  it.each(cases)('%s', (payload, values) => {
    expect(valuesOf(payload)).toEqual(values);
  });

  it.each(['null', '1', '"text"', '[{"a":1}]', 'true', ' [] '])('there are none in %s', (payload) => {
    expect(flatten(payload).size).toBe(0);
  });

  it('come in the order of their keys; of the same key twice, the later one has its place', () => {
    const namesOf = (payload: string) => [...flatten(payload).keys()];
    expect(namesOf('{"b":1,"a":{"d":2,"c":3},"B":4}')).toEqual(['b', 'a_d', 'a_c']);
    expect(namesOf('{"b":1,"a":2,"b":3}')).toEqual(['a', 'b']);
  });

  it('determine the type by the first one', () => {
    expect(flatten('{"A-B":null,"a_b":3}').get('a_b')).toEqual({ displayName: 'A-B', firstJson: 'null', json: '3' });
  });
});

describe('a payload beyond the limits', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const deep = 'The payload is deeper than 100 levels';

  it('may be 100 levels deep and no more', () => {
    expect(flatten(nested(100)).size).toBe(1);
    expect(() => flatten(nested(101))).toThrow(deep);
    expect(() => flatten(nested(5_000))).toThrow(deep);
    expect(() => flatten('['.repeat(5_000) + ']'.repeat(5_000))).toThrow(deep);
    expect(() => flatten(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`)).toThrow(deep);
    expect(flatten(`{"a":${'['.repeat(99)}${']'.repeat(99)}}`).size).toBe(1);
  });

  it('may have as many fields as a table has columns, and no more', () => {
    const payload = (count: number) => JSON.stringify(Object.fromEntries(fields(count)));
    expect(flatten(payload(1_000)).size).toBe(1_000);
    expect(() => flatten(payload(121_000))).toThrow('The table would have more than 1000 columns');
  });

  it('has too many columns where it has too many members, whatever their names', () => {
    const payload = (members: number) => `{${'"a":{},'.repeat(members - 1)}"a":1}`;
    expect(flatten(payload(20_000)).size).toBe(1);
    expect(() => flatten(payload(20_001))).toThrow('The table would have more than 1000 columns');
  });

  it('may be a list of a million', () => {
    expect(flatten(`{"a":[${'1,'.repeat(999_999)}1]}`).size).toBe(1);
  });

  it.each(['', '{', '{"a":1}x', "{'a':1}", '\ufeff'])('or no JSON at all: %j', (payload) => {
    expect(() => flatten(payload)).toThrow('The payload is not JSON');
  });
});

function fields(count: number): [string, number][] {
  return Array.from({ length: count }, (_, index) => [`k${index}`, index]);
}
