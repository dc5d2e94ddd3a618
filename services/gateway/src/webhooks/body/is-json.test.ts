import { scaled } from '@mneme/local-stack/testing';
import { longestStallOf } from '@mneme/workers/testing';
import { describe, expect, it } from 'vitest';
import { isJson } from './is-json.ts';

/** All sixteen bodies in one turn of the event loop would take about a hundred. */
const longestStallMs = 30;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** What `JSON.parse` makes of bytes. */
function parses(bytes: Buffer): boolean {
  try {
    JSON.parse(decoder.decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** Ids that look like chance and are the same every time. */
function pseudoRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const good = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '-0',
    '1',
    '-1.5e+10',
    '1E5',
    '1e400',
    '0.0',
    '""',
    '"\\u00e9\\"\\\\\\/\\b"',
    '"\u{7f}é日😀"',
  ],
  ...[
    '[]',
    '{}',
    ' [ ] ',
    '\n{\t}\r',
    '[[],{}]',
    '{"a":[{"b":{}}],"a":1}',
    '[1,2 , 3]',
    '{"":{"":""}}',
    '"\\ud800"',
    '\u{feff}1',
  ],
  ...['{"a" : 1 , "b":[ ] }', '9007199254740993', '{"__proto__":1}', '[null,true,false]'],
];
const bad = [
  ...[
    '',
    ' ',
    '\u{feff}',
    '\u{feff}\u{feff}1',
    '01',
    '1.',
    '.5',
    '+1',
    '-',
    '1e',
    '1e+',
    '0x1',
    'NaN',
    'Infinity',
    '1 2',
    '1,',
    ',1',
  ],
  ...['nul', 'nulll', 'True', 'tru e', '"', '"a', '"\n"', '"\t"', '"\\x"', '"\\u12g4"', '"\\u123', "'a'", '"\\"'],
  ...[
    '[',
    ']',
    '[1',
    '[1,',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[}',
    '{',
    '}',
    '{]',
    '{a:1}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{"a":1',
    '{"a":1,"b"}',
  ],
  ...[
    '{"a":1 "b":2}',
    '{1:1}',
    '{null:1}',
    '[]]',
    '{}}',
    '[[]',
    '{"a":[}',
    '// c\n1',
    '[1]/**/',
    '\u{a0}1',
    '1\u{2028}',
    '\0',
    '[1]\0',
  ],
];

describe('bytes are JSON', () => {
  it.each(good)('%j', async (text) => {
    expect([await isJson(Buffer.from(text)), parses(Buffer.from(text))]).toEqual([true, true]);
  });
});

describe('bytes are no JSON', () => {
  it.each(bad)('%j', async (text) => {
    expect([await isJson(Buffer.from(text)), parses(Buffer.from(text))]).toEqual([false, false]);
  });

  it.each([
    [0x22, 0xff, 0x22],
    [0x22, 0xc3, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0x22, 0xc0, 0x80, 0x22],
  ])('when they are no UTF-8: %j', async (...bytes) =>
    expect([await isJson(Buffer.from(bytes)), parses(Buffer.from(bytes))]).toEqual([false, false]),
  );
});

it('agrees with JSON.parse about texts that were spoilt a little', async () => {
  const random = pseudoRandom(7);
  const spoilers = Buffer.from('{}[]",:\\ue0+-.1tfn \n\t\x00\x1f\x7f\xc3\xa9', 'latin1');
  const wrong: string[] = [];
  const texts = scaled({ full: 200_000, short: 50_000 });
  for (let count = 0; count < texts; count += 1) {
    const parts = [good[random(good.length)], good[random(good.length)]];
    const bytes = Buffer.from(random(2) ? `[${parts.join(',')}]` : `{"k":${parts[0]},"l" :${parts[1]}}`);
    for (let spoilt = random(4); spoilt > 0; spoilt -= 1)
      bytes[random(bytes.length)] = spoilers[random(spoilers.length)] ?? 0;
    const text = random(4) ? bytes : bytes.subarray(0, random(bytes.length));
    if ((await isJson(text)) !== parses(text)) wrong.push(text.toString('latin1'));
  }
  expect(wrong).toEqual([]);
});

it.each([
  ['a million levels of arrays', '['.repeat(500_000) + ']'.repeat(500_000), true],
  ['a million levels, one of them never closed', '['.repeat(500_000) + ']'.repeat(499_999), false],
  ['levels of objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, true],
  ['levels that are closed the wrong way', `${'[{"a":'.repeat(50_000)}1${']}'.repeat(50_000)}`, false],
])('takes %s', async (_name, text, expected) => {
  expect(await isJson(Buffer.from(text))).toBe(expected);
});

it('holds up no one for long when many large bodies come at once', async () => {
  const members = Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`k${index}`, index % 10]));
  const body = Buffer.from(JSON.stringify(members));
  const readAll = () => Promise.all(Array.from({ length: 16 }, () => isJson(body)));
  expect(await readAll()).toEqual(Array.from({ length: 16 }, () => true));
  expect(await longestStallOf(readAll, longestStallMs)).toBeLessThan(longestStallMs);
});
