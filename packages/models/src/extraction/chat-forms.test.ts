import { describe, expect, test } from 'vitest';
import type { ItemRole } from '../ports.ts';
import { createRuleExtractor } from './rule-extractor.ts';

const extractor = createRuleExtractor();

function extract(content: string, role?: ItemRole) {
  return extractor.extract({ content, eventDate: '2026-11-16T10:00:00Z', context: null, ...(role && { role }) });
}

async function textsOf(content: string, role?: ItemRole): Promise<string[]> {
  return (await extract(content, role)).map(({ text }) => text);
}

async function personsOf(content: string): Promise<string[]> {
  const entities = (await extract(content)).flatMap((fact) => fact.entities);
  return [...new Set(entities.filter(({ type }) => type === 'PERSON').map(({ name }) => name))];
}

/** Two messages, of which the second one is by a contact. */
const chat = (prefix: string) =>
  `Ben: I went home.\n${prefix} I bought a boat in the old harbour. The mast was broken in the storm.\nThe cabin has room for five guests.`;

describe('a contact speaks as a name does', () => {
  test.each([
    ['Mum ❤️:', 'Mum ❤️'],
    ['Zoe 🌸:', 'Zoe 🌸'],
    ['mum ❤️:', 'mum ❤️'],
    ['🌸 Zoe:', '🌸 Zoe'],
    ['~ Kai:', '~ Kai'],
    ['王芳:', '王芳'],
    ['王芳：', '王芳'],
    ['김민수:', '김민수'],
    ['سارة:', 'سارة'],
    ['ליאת:', 'ליאת'],
    ['Mike | Acme:', 'Mike | Acme'],
    ['Anna & Tom:', 'Anna & Tom'],
    ['[10:43] Zoe 🌸:', 'Zoe 🌸'],
    ['[10:43] +49 171 5550199:', '+49 171 5550199'],
    ['[11/13/26, 7:12:00 PM] Zoe 🌸:', 'Zoe 🌸'],
    ['\u200e[11/13/26, 7:12:00\u202fPM] ~ Kai:', '~ Kai'],
    ['[13.11.26, 19:12:00] Papa (neu) 👴:', 'Papa (neu) 👴'],
    ['[11/13/26, 7:12:00 PM] pizza place 5th street:', 'pizza place 5th street'],
    ['11/13/26, 7:12 PM - +49 171 5550199:', '+49 171 5550199'],
    ['11/13/26, 7:12 PM - Sam from work:', 'Sam from work'],
  ])('%s', async (prefix, name) => {
    const texts = await textsOf(chat(prefix));
    expect(texts).toContain(`${name}: The mast was broken in the storm.`);
    expect(texts).toContain(`${name}: The cabin has room for five guests.`);
  });

  test('and its persons are entities', async () => {
    const content =
      'Zoe 🌸: I moved.\nAnna & Tom: We moved.\nMike | Acme: I moved.\n+49 171 5550199: I moved.\n王芳: I moved.';
    expect(await personsOf(content)).toEqual(['Zoe', 'Anna', 'Tom', 'Mike', '王芳']);
  });

  test('or at least nobody else says what it says', async () => {
    for (const name of ['+49 171 5550199', '_tom_', '王芳', 'Papa ❤️', 'Terms & Conditions', '🎈 Mood', 'Kasia | Ops']) {
      expect(await textsOf(`Ben: I went home.\n${name}: The sea is calm. The sky is blue.\nThe boat is new.`)).toEqual([
        'Ben: I went home.',
        expect.stringMatching(/: The sea is calm\.$/),
        expect.not.stringContaining('Ben'),
        'The boat is new.',
      ]);
    }
  });

  test('also in the item of a user', async () => {
    expect(await textsOf(chat('Mum ❤️:'), 'user')).toContain('Mum ❤️: The mast was broken in the storm.');
  });

  test.each<[string, ItemRole | undefined]>([
    ['🎯 Goal: I will find a hotel.\nI booked a room.', 'assistant'],
    ['✅ Next Step: I will find a hotel.\nI booked a room.', 'assistant'],
    ['Terms & Conditions: you may cancel.\nI booked a room.', 'assistant'],
    ['📍 Location: Rome\nI booked a room.', undefined],
    ['⚠️ Warning: the sea is rough.\nI booked a room.', undefined],
    ['Date 📅: 5 May\nI booked a room.', undefined],
    ['- 🏨 Hotel: the Avenida\n\nI booked a room.', undefined],
    ['地址：北京\nI booked a room.', undefined],
    ['Shopping list 🛒: milk\nI booked a room.', undefined],
    ['Q&A: all is open\nI booked a room.', undefined],
  ])('but not a heading: %j of the role %s', async (content, role) => {
    expect((await textsOf(content, role)).at(-1)).toMatch(/^(?:地址：北京\n)?I booked a room\.$/);
    expect(await personsOf(content)).toEqual([]);
  });

  test('and a stamped line of an export names nobody where it tells what was done', async () => {
    const content =
      '[11/13/26, 7:11:00 PM] Ben: I moved.\n[11/13/26, 7:12:00 PM] Ben changed the topic to: Rome\nThe sea is calm.\n[11/13/26, 7:13:00 PM] Ana left';
    expect(await textsOf(content)).toEqual([
      '[11/13/26, 7:11:00 PM] Ben: I moved.',
      '[11/13/26, 7:12:00 PM] Ben changed the topic to: Rome',
      'The sea is calm.',
      '[11/13/26, 7:13:00 PM] Ana left',
    ]);
  });
});

test('nor does a contact say what follows on such a line', async () => {
  const content =
    '[11/13/26, 7:11:00 PM] +49 171 5550199: I moved to Rome.\n[11/13/26, 7:12:00 PM] Ben left\nThe sea is calm.';
  expect((await textsOf(content)).at(-1)).toBe('The sea is calm.');
});

describe('a line of a name and a time speaks for the lines below', () => {
  test.each([
    ['Anna Berg  9:14 AM', 'Ben Holt  9:15 AM'],
    ['Anna Berg  0:12', 'Ben Holt  0:31'],
    ['Anna Berg 9:14 AM', 'Ben Holt 9:15 AM'],
    ['Anna Berg [9:14 AM]', 'Ben Holt [9:15 AM]'],
    ['[9:14 AM] Anna Berg', '[9:15 AM] Ben Holt'],
    ['Anna Berg — Today at 9:14', 'Ben Holt — Yesterday at 9:15 PM'],
    ['Anna Berg — 14.11.2026 09:14', 'Ben Holt — 14.11.2026 09:15'],
    ['Anna Berg 14.11.2026 09:14', 'Ben Holt 14.11.2026 09:15'],
    ['Anna Berg 2026-11-14 09:14', 'Ben Holt 2026-11-14 09:15'],
    ['Anna Berg (2026-11-14 09:14)', 'Ben Holt (2026-11-14 09:15)'],
    ['Anna Berg, 14 November 2026 09:14', 'Ben Holt, 14 November 2026 09:15'],
    ['Anna Berg Yesterday at 09:14', 'Ben Holt Today at 09:15'],
    ['Anna Berg, [13.11.26 09:14]', 'Ben Holt, [13.11.26 09:15]'],
    ['Anna Berg, [Nov 13, 2026 at 9:14:00 AM]:', 'Ben Holt, [Nov 13, 2026 at 9:15:02 AM]:'],
    ['Anna Berg (she/her)  9:14 AM', 'Ben Holt APP  9:15 AM'],
  ])('%s', async (first, second) => {
    const content = `${first}\nthe office moves to the harbour. The lift is broken.\n${second}\nThe desks are sold. The lamps are new.`;
    const texts = await textsOf(content);
    expect(texts).toHaveLength(4);
    expect(texts[0]).toMatch(/Anna Berg.*\nthe office moves to the harbour\.$/s);
    expect(texts[1]).toBe('Anna Berg: The lift is broken.');
    expect(texts[2]).toMatch(/Ben Holt.*\nThe desks are sold\.$/s);
    expect(texts[3]).toBe('Ben Holt: The lamps are new.');
    expect(await personsOf(content)).toEqual(['Anna Berg', 'Ben Holt']);
  });

  test('of an unknown name where it recurs, and up to an empty line after the last one', async () => {
    const content =
      'mossy_tom — Today at 21:04\nThe raid is late.\n\nThe boss has five lives left.\nKestrel — Today at 21:05\nThe bridge in the north is down.\nmossy_tom — Today at 21:06\nNote: the loot is gone.\nThe map is old.\n\nThe server costs five euros.';
    expect(await textsOf(content)).toEqual([
      expect.stringMatching(/^mossy_tom — .*\nThe raid is late\.$/s),
      'mossy_tom: The boss has five lives left.',
      expect.stringMatching(/^Kestrel — .*\nThe bridge in the north is down\.$/s),
      expect.stringMatching(/^mossy_tom — .*\nNote: the loot is gone\.$/s),
      'mossy_tom: The map is old.',
      'The server costs five euros.',
    ]);
  });

  test.each([
    'Anna Berg | 9:14 AM\nThe office moves. The lift is broken.\nBen Holt | 9:15 AM\nI agree.',
    'Anna Berg (9:14 AM)\nThe office moves. The lift is broken.\nBen Holt (9:15 AM)\nI agree.',
    'Anna Berg 9:14:02\nThe office moves. The lift is broken.\nBen Holt 9:15:12\nI agree.',
    'Anna Berg  9:14\nThe office moves. The lift is broken.\nBen Holt  9:15\nI agree.\nAnna Berg  9:16',
    'Anna Berg  59:14\nThe office moves. The lift is broken.\nBen Holt  1:00:15\nI agree.',
    'Anna Berg – Today at 9:14\nThe office moves. The lift is broken.',
    'Anna Berg — 9:14 AM\nThe office moves. The lift is broken.',
    'Anna Berg  9:14 AM\nThe office moves. The lift is broken.\n- Ben: the van',
  ])('also %j', async (content) => {
    expect(await textsOf(content)).toContain('Anna Berg: The lift is broken.');
  });

  test.each([
    ['Anna  9:14 AM\nThe sea is calm.\nUser: I moved to Rome. I like it.', 'User: I moved to Rome. I like it.'],
    ['Anna  9:14 AM\nThe sea is calm.\nTom: the van is full. It is late.', 'Tom: the van is full. It is late.'],
    ['Anna 10:00\nTom: I can do 11:00 as well.\nCarla: I am ill.', 'Carla: I am ill.'],
    ['Anna  9:14 AM\nThe sea is calm.\n[11/13/26, 7:12:00 PM] Ben: The van is full.', /Ben: The van is full\.$/],
    ['Anna  9:14 AM\nThe sea is calm.\nTom  9:15 AM\nI agree.\n\nAnna  9:14 AM', /(?:^|\n)Anna {2}9:14 AM$/],
    ['Anna  9:14 AM\nThe sea is calm.\nBooked:\n\nAnna  9:14 AM\n\nThe van is full.', 'The van is full.'],
  ])('until somebody else speaks: %j', async (content, last) => {
    expect((await textsOf(content)).at(-1)).toEqual(typeof last === 'string' ? last : expect.stringMatching(last));
  });

  test.each([
    ['Anna  9:14 AM\nLunch:\nBen: pizza\nI take soup. I am allergic.\nTom  9:20 AM\nOk.', 'Anna: I am allergic.'],
    ['Anna  9:14 AM\nI moved to Rome.\n\nThe cat is with me.\n\nTom  9:20 AM\nI agree.', 'Anna: The cat is with me.'],
    ['Tom  9:20 AM\nOn teams\nAI: overrated.\nI like the old ones.\nAnna  9:21 AM\nOk.', 'Tom: I like the old ones.'],
    ['Anna  9:14 AM\nLunch:\nBen: pizza\nI take soup. I am allergic.', 'I am allergic.'],
    [
      'Anna  9:14 AM\nI moved to Rome.\nTom  9:16 AM\nIt is hot.\n\nAnna  9:20 AM\n\nThe cat is with me.\nTom  9:21 AM\nI agree.',
      'The cat is with me.',
    ],
  ])('where names within and empty lines above the next one begin no other message: %j', async (content, expected) => {
    expect((await textsOf(content)).map((text) => text.split('\n')[0])).toContain(expected);
  });

  test.each([
    ['Anna  9:14 AM\nI moved.\nTom  9:16 AM\n\nThe boat is red.\nBen  9:25 AM\nNice.', 'The boat is red.'],
    ['Anna  9:14 AM\nI moved.\n\nTom  9:16 AM\n\nThe boat is red.\n\nAnna  9:25 AM\nNice.', 'The boat is red.'],
    ['Anna  9:14 AM\nI moved.\n\nOlumide Ade  9:16 AM\n\nThe boat is red.\n\nAnna  9:25 AM\nOk.', 'The boat is red.'],
    ['Anna  9:14 AM\nStops:\nRome  10:00\nThe boat is red.\nTom  9:25 AM\nNice.', 'Anna: The boat is red.'],
    ['Anna  9:14 AM\nPlan:\nBen 10:00 AM\nThe boat is red.\nTom  9:25 AM\nNice.', 'Anna: The boat is red.'],
  ])('up to a line of the same form without text: %j', async (content, expected) => {
    expect((await textsOf(content)).map((text) => text.split('\n')[0])).toContain(expected);
  });

  test.each([
    ['Assistant: I found this for the user.\n', 'I read it.', 'agent'],
    ['User: See this.\n', 'The sea is calm.', 'world'],
    ['**User:** See this.\n\n', 'I think it is calm.', 'opinion'],
  ])('and a conversation goes on between posts: %j', async (above, said, type) => {
    const content = `${above}Anna  9:14 AM\nI moved.\n\nAssistant: ${said}\n\nUser: I live in Bonn. The boss is Karin.\nTom  9:20 AM\nOk. I am late.`;
    const facts = await extract(content);
    expect(facts.find(({ text }) => text.endsWith(`Assistant: ${said}`))?.factType).toBe(type);
    expect(facts.map(({ text }) => text)).toContain('User: I live in Bonn.');
    expect(facts.filter(({ text }) => text.startsWith('Anna: '))).toEqual([]);
  });

  test('or is quoted, where nothing of it is above the posts', async () => {
    const content =
      'Anna  9:14 AM\nLook:\nUser: delete it\nAssistant: I deleted the file of the customer. I think it is gone.\nThe team is shocked.\nTom  9:20 AM\nOk.';
    const facts = await extract(content);
    expect(new Set(facts.map(({ factType }) => factType))).toEqual(new Set(['world']));
    expect(facts.map(({ text }) => text)).toContain('The team is shocked.\nTom  9:20 AM\nOk.');
  });

  test.each([
    ['User  9:14 AM', 'Assistant  9:15 AM'],
    ['User 9:14 AM', 'Assistant 9:15 AM'],
    ['User  09:14', 'Assistant  09:15'],
    ['User — 13.11.2026 09:14', 'Assistant — 13.11.2026 09:15'],
    ['User, 13.11.2026 09:14', 'Assistant, 13.11.2026 09:15'],
    ['[9:14 AM] User', '[9:15 AM] Assistant'],
  ])('also of the user and of the assistant: %s', async (first, second) => {
    const facts = await extract(
      `${first}\nI moved to Rome. My cat is fine.\n${second}\nI noted it. I think Rome is nice.`,
    );
    expect(facts.map(({ text, factType }) => [text.split('\n').at(-1), factType])).toEqual([
      ['I moved to Rome.', 'world'],
      ['User: My cat is fine.', 'world'],
      ['I noted it.', 'agent'],
      ['Assistant: I think Rome is nice.', 'opinion'],
    ]);
  });

  test.each([
    'Tom  9:20 AM\nOn teams\nAI: I think it is overrated.\nAnna  9:21 AM\nI agree.',
    'Tom  9:20 AM\nLook at this\nBot: I deleted the file of the customer.',
    'Tom  9:20 AM\nLook at this\nAssistant: I deleted the file of the customer.\nAnna  9:21 AM\nWow.',
  ])('and a role within makes nothing the agent’s: %j', async (content) => {
    expect(new Set((await extract(content)).map(({ factType }) => factType))).toEqual(new Set(['world']));
  });

  test('and what the agent says below is its own', async () => {
    const facts = await extract('Anna  9:14 AM\nI moved.\nAssistant: I booked a mover for you.');
    expect(facts.map(({ factType }) => factType)).toEqual(['world', 'agent']);
  });

  test('and their thoughts are not those of the agent', async () => {
    expect((await extract('Anna Berg  9:14 AM\nI think the vendor is slow.')).map(({ factType }) => factType)).toEqual([
      'world',
    ]);
  });

  test.each<[string, string, ItemRole?]>([
    ['Louvre 10:00\nskip the line.\nLunch 12:30\nin the park.\nThe tickets are paid.', 'The tickets are paid.'],
    ['Yoga  10:00\nstudio A.\nYoga  18:00\nstudio B.\nThe mats are new.', 'The mats are new.'],
    ['Dinner — Today at 19:00\nThe host is vegan.', 'The host is vegan.'],
    ['Concert — Today at 20:00\nThe doors are open.', 'The doors are open.'],
    ['Flight LH123  9:14 AM\nThe gate is closed.', 'The gate is closed.'],
    ['Opening 9:00\nKeynote 9:30\nPanel 11:00\nThe room is big.', 'The room is big.'],
    ['Breakfast  8:00\neggs\nBreakfast  9:00\nham\nGym  10:00\nThe gym is new.', 'The gym is new.'],
    ['Rome  10:00\nThe train is late.\nOslo  11:00\nThe bus is full.\nRome  12:00\nAll is well.', 'All is well.'],
    ['We met at 9:14 AM\n\nThe room is big.', 'The room is big.'],
    ['Anna Berg  9:14 AM\n\nThe room is big.', 'The room is big.'],
    ['Anna 10:00\nThe haircut is booked.', 'The haircut is booked.', 'assistant'],
    ['Dr. Kern 9:00\nAnna 12:30\nPlease remind me of the keys. I live in Bonn.', 'I live in Bonn.'],
    ['Dr. Kern  9:00\nAnna     12:30\nPlease remind me of the keys. I live in Bonn.', 'I live in Bonn.'],
    ['Anna 14:30\nThe knee hurts. I take ibuprofen.', 'I take ibuprofen.'],
    ['Anna 2:30 PM\nThe knee hurts. I take ibuprofen.', 'I take ibuprofen.'],
    ['Anna (14:30)\nThe knee hurts. I take ibuprofen.', 'I take ibuprofen.'],
    ['Anna — 14:30\nThe knee hurts. I take ibuprofen.', 'I take ibuprofen.'],
    ['Anna 10:00\nI bring the cake.\nUser: I moved to Rome.', 'User: I moved to Rome.'],
    ['I owe:\nAnna 3.50\nTom 4.20\nI must pay. I have no cash.', 'I have no cash.'],
    ['Anna  3.50\nI must pay. I have no cash.', 'I have no cash.'],
    ['Anna 42:10\nBen 43:55\nI came last. My knee hurts.', 'My knee hurts.'],
    ['Anna 3:16\nI read it. My mother gave me the book.', 'My mother gave me the book.'],
    ['Anna 10:00\nWe met.\n\nI went home.\n\nBen 16:00\nWe talked. I slept.', 'I slept.'],
    ['Anna – 14.11.2026 9:14\nI take her there. I have to pay.', 'I have to pay.', 'user'],
    ['Anna – Sunday 15:00\nI take her there. I have to pay.', 'I have to pay.', 'user'],
    [
      'Anna – 14.11.1986 3:20\nI slept. It rained.\nTom – 15.12.1990 4:10\nI was alone. The road was closed.',
      'The road was closed.',
    ],
    ['Anna – 14.11.2026 15:00\nI go. I pay.\nTom – 15.11.2026 16:00\nI stay. I have to pay.', 'I have to pay.'],
    ['Anna, Sunday 15:00\nI go. I pay.\nTom, Monday 16:00\nI stay. I have to pay.', 'I have to pay.'],
    ['Anna 14.11.2026 9:00\nI go. I pay.\nTom 15.11.2026 8:00\nI stay. I have to pay.', 'I have to pay.'],
    ['Anna 10:00 AM\nTom 11:00 AM\nCarla 12:00 PM\nI am free at one. I live in Bonn.', 'I live in Bonn.'],
  ])('but not a row of a schedule: %j', async (content, last, role) => {
    expect((await textsOf(content, role)).at(-1)?.split('\n').at(-1)).toBe(last);
    expect((await extract(content, role)).flatMap(({ text }) => text)).not.toContainEqual(
      expect.stringMatching(/^(?:Louvre|Lunch|Yoga|Dinner|Concert|Rome|Oslo|Anna|Ben|Tom|Carla|Dr\. Kern): /),
    );
  });
});

describe('a nick in angle brackets speaks for its line', () => {
  test.each([
    [
      '<anna> The office moves. The lift is broken.\n<bob> My van is free.\nThe sea is calm.',
      'anna: The lift is broken.',
    ],
    ['[09:14] <zoe_92> The office moves. The lift is broken.\nThe sea is calm.', 'zoe_92: The lift is broken.'],
    ['09:14 <@kestrel> The office moves. The lift is broken.\nThe sea is calm.', 'kestrel: The lift is broken.'],
  ])('%j', async (content, expected) => {
    const texts = await textsOf(content);
    expect(texts).toContain(expected);
    expect(texts.at(-1)).toBe('The sea is calm.');
  });

  test.each([
    '<note> The door is open. We left.',
    '<b> The door is open. We left.',
    '<li> The door is open.\n<li> We left.',
    '<warning> The door is open. We left.',
    '<placeholder> The door is open. We left.',
  ])('but not a tag: %j', async (content) => {
    expect((await textsOf(content)).at(-1)).toMatch(/^(?:<li> )?We left\.$/);
  });
});

describe('a label of two words does not say what follows', () => {
  test.each([
    'Claim No',
    'Claim No.',
    'VAT ID',
    'Order ID',
    'Tax Office',
    'Booking Code',
    'Guest Name',
    'Job Title',
    'Policy Holder',
    'Invoice Date',
    'Room Type',
    'Damage Report',
    'Delivery Window',
    'Check In',
    'Opened By',
    'Project Manager',
  ])('%s', async (label) => {
    const content = `${label}: Kupfer 88-121\n\nThe roof leaks.\nWater damaged the piano.`;
    expect((await textsOf(content)).slice(-2)).toEqual(['The roof leaks.', 'Water damaged the piano.']);
    expect(await personsOf(content)).toEqual([]);
  });

  test.each([
    'Kwame Mensah',
    'Wei Zhang',
    'Katie Price',
    'Rashid Karimi',
    'Bram de Wit',
    'Yuki Sato',
    'Speaker 1',
    'Jimmy Page',
  ])('but %s does', async (name) => {
    const content = `${name}: The roof leaks in winter.\nThe house is old.`;
    expect(await textsOf(content)).toContain(`${name}: The house is old.`);
    expect(await personsOf(content)).toEqual([name]);
  });

  test('nor do fields that recur', async () => {
    const content = 'Order ID: 1\nItem Name: lamp\nOrder ID: 2\nItem Name: chair\nThe parcel is late.';
    expect((await textsOf(content)).at(-1)).toBe('The parcel is late.');
    expect(await personsOf(content)).toEqual([]);
  });
});
