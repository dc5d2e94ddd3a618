import { describe, expect, it } from 'vitest';
import { hasEscapedName, readEscapedNames, readJson } from './json-names.ts';

const { parse } = JSON;
readEscapedNames();

describe('readEscapedNames', () => {
  it.each([
    ['{"a1":1,"caf\\\\":1}', '{"a1":1,"caf\\u00e9":"yes"}', ['a1', 'café']],
    ['{"a2":1,"\\\\u04":1}', '{"a2":1,"\\u0438\\u043c\\u044f\\u0441":1}', ['a2', 'имяс']],
    ['{"a3":[],"\\\\":2,"b":2}', '{"a3":[],"\\"":2,"b":2}', ['a3', '"', 'b']],
    ['{"a4":1,"\\\\":2}', '[{"a4":1,"\\n" : 2}]', ['0']],
  ])('after %s, reads the names of %s', (before, json, names) => {
    JSON.parse(before);

    expect(Object.keys(JSON.parse(json))).toEqual(names);
  });

  it('reads names of objects in lists and in objects', () => {
    JSON.parse('{"a5":1,"\\\\":2}');

    expect(JSON.parse('{"list":[1,{"a5":1,"\\t":[]}],"of":{"a5":null,"\\n":{}}}')).toEqual({
      list: [1, { a5: 1, '\t': [] }],
      of: { a5: null, '\n': {} },
    });
  });

  it('is what is there already when it is called again', () => {
    const { parse: corrected } = JSON;

    readEscapedNames();

    expect(JSON.parse).toBe(corrected);
  });

  it('refuses what is not JSON as before', () => {
    const wrong = ['{"\\u0061":1,}', '{"\\x":1}', '{"\\u0061" 1}', '["\\"', '{"\\u0061":01}', ''];

    for (const json of wrong) expect(() => JSON.parse(json)).toThrow(SyntaxError);
  });

  it('leaves revivers and other values to the platform', () => {
    expect(JSON.parse('{"\\u0061":1}', (_name, value) => (value === 1 ? 2 : value))).toEqual({ a: 2 });
    expect(JSON.parse(null as never)).toBeNull();
  });
});

describe('hasEscapedName', () => {
  it.each(['{"\\u0061":1}', '{"a":"\\"","b\\\\" : 1}', '[[{"x":[{"\\"":0}]}]]', '{"a":"b\\n\\\\\\"c","\\n"\r\n\t :1}'])(
    'finds one in %s',
    (json) => {
      expect(hasEscapedName(json)).toBe(true);
    },
  );

  it.each(['{"a":"\\u0061"}', '{"a":"\\":"}', '{"a":"\\\\","b":":"}', '["\\"\\\\", {"b":"\\n"}]', '"\\u0061"', '{}'])(
    'finds none in %s',
    (json) => {
      expect(hasEscapedName(json)).toBe(false);
    },
  );
});

describe('readJson', () => {
  it.each([
    '{"a":{"b":[1,-2.5e3,true,false,null,"x",[],{}]},"c":"\\ud83d\\ude00\\"\\\\"}',
    ' [ 1 , "a\\\\" , { "b" : { } } ] ',
    '{"b":1,"a":2,"b":3,"1":0}',
    '{"__proto__":{"x":1},"constructor":2}',
    '"text"',
    '-0',
    'null',
  ])('reads %s as the platform does', (json) => {
    const read = readJson(json, parse);

    expect(JSON.stringify(read)).toBe(JSON.stringify(parse(json)));
    expect(Object.keys(Object(read))).toEqual(Object.keys(Object(parse(json))));
  });

  it('reads deeply nested text', () => {
    const json = `${'[{"a":'.repeat(1_000)}0${'}]'.repeat(1_000)}`;

    expect(JSON.stringify(readJson(json, parse))).toBe(json);
  });

  it('reads long text in time that grows with its length', () => {
    const text = JSON.stringify({ '"': '\\"'.repeat(1_000_000), list: Array.from({ length: 50_000 }, () => '\n') });
    const startedAt = performance.now();

    expect(JSON.stringify(JSON.parse(text))).toBe(text);

    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
