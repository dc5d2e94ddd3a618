import { describe, expect, test } from 'vitest';
import type { ExtractedFact, ItemRole } from '../ports.ts';
import { createRuleExtractor } from './rule-extractor.ts';

const extractor = createRuleExtractor();

function extract(content: string, role?: ItemRole): Promise<ExtractedFact[]> {
  return extractor.extract({ content, eventDate: '2023-05-08T13:56:00Z', context: null, ...(role && { role }) });
}

async function read(content: string, role?: ItemRole) {
  return (await extract(content, role)).map(({ text, factType }) => [text, factType]);
}

describe('a turn begins a fact, whatever the line before ends with', () => {
  test.each<[string, string[]]>([
    [
      'user: where should i fly to\nassistant: I booked you a flight to Lisbon. I think Lisbon is best.',
      [
        'user: where should i fly to',
        'assistant: I booked you a flight to Lisbon.',
        'assistant: I think Lisbon is best.',
      ],
    ],
    [
      'Anna: I moved to Rome\nbob: my dog died last week\nanna: my cat is well',
      ['Anna: I moved to Rome', 'bob: my dog died last week (week of 1 May 2023)', 'anna: my cat is well'],
    ],
    [
      'I had to think of two\nthings: the house and\nthe dog.',
      ['I had to think of two\nthings: the house and\nthe dog.'],
    ],
  ])('%j', async (content, expected) => {
    expect((await read(content)).map(([text]) => text)).toEqual(expected);
  });
});

describe('a label before a colon does not speak', () => {
  test('where an item of the assistant has a plan', async () => {
    const facts = await read(
      'Here is the plan.\nFlights: TP123 at 9:00.\nI booked the hotel Avenida for you.',
      'assistant',
    );
    expect(facts).toContainEqual(['I booked the hotel Avenida for you.', 'agent']);
  });

  test('where the assistant speaks by its role', async () => {
    const facts = await read(
      'user: Where to?\nassistant: Done.\nStopover: Madrid.\nI booked the hotel Avenida for you.',
    );
    expect(facts).toContainEqual(['assistant: I booked the hotel Avenida for you.', 'agent']);
  });

  test.each([
    ['- Tuesday: swimming\n\nI moved to Rome in spring. My wife is Carla.', 'My wife is Carla.'],
    ['Age: 34\n\nMy wife is Carla.', 'My wife is Carla.'],
    ['Lisbon: three days\n\nMy wife is Carla.', 'My wife is Carla.'],
    ['Model: iPhone 15\nI paid 900 euros for it.', 'I paid 900 euros for it.'],
  ])('in %j', async (content, expected) => {
    const facts = await extract(content);
    expect(facts.map(({ text, factType }) => [text, factType])).toContainEqual([expected, 'world']);
    expect(facts.flatMap(({ entities }) => entities)).not.toContainEqual(
      expect.objectContaining({ name: content.match(/\p{Lu}\w+/u)?.[0], type: 'PERSON' }),
    );
  });
});

describe('a single word before a colon that may be a label does not say what follows', () => {
  test.each<[string, string, string[]]>([
    [
      'From: Tom Baker\nSent: Monday\nTo: Ana\nCc: Eve Miller  Subject: Trip\n\nI booked the hotel in Porto.',
      'Tom Baker: I booked the hotel in Porto.',
      ['Cc', 'Sent'],
    ],
    ['Decision: we use Postgres.\nI am allergic to nuts.', 'I am allergic to nuts.', ['Decision']],
    [
      'Project: Apollo\nManager: Tom\nRisk: budget\nI am allergic to nuts.',
      'I am allergic to nuts.',
      ['Project', 'Manager', 'Risk'],
    ],
    ['Birthday: 5 July\nWife: Eve\nI am allergic to nuts.', 'I am allergic to nuts.', ['Birthday', 'Wife']],
    ['first_name: Eve\nI am allergic to nuts.', 'I am allergic to nuts.', ['first_name']],
    ['- Boots: brown\n- Travel Bag: blue\nI am allergic to nuts.', 'I am allergic to nuts.', ['Boots', 'Travel Bag']],
    ['Anna: I moved.\nDecision: we ship.\nI am allergic to nuts.', 'I am allergic to nuts.', ['Decision']],
    ['user: My data:\nManager: Tom\nI am allergic to nuts.', 'user: I am allergic to nuts.', ['Manager']],
  ])('in %j', async (content, expected, labels) => {
    const facts = await extract(content);
    expect(facts.map(({ text, factType }) => [text, factType])).toContainEqual([expected, 'world']);
    const persons = facts.flatMap(({ entities }) => entities).filter(({ type }) => type === 'PERSON');
    expect(persons.map(({ name }) => name).filter((name) => labels.includes(name))).toEqual([]);
  });

  test('but it stays with each sentence of its line', async () => {
    const facts = await read('Decision: we use Postgres. The team knows the database.\nThe old one was slow.');
    expect(facts.map(([text]) => text)).toEqual([
      'Decision: we use Postgres.',
      'Decision: The team knows the database.',
      'The old one was slow.',
    ]);
  });

  test('and nothing after it becomes an opinion of the agent', async () => {
    expect(await read('Manager: Tom\nI think Rome is better.')).toContainEqual(['I think Rome is better.', 'world']);
  });
});

describe('a word for a thing is no speaker', () => {
  test.each<[string, ItemRole | undefined, [string, string][]]>([
    ['Bug: the app crashes on save.', undefined, [['Bug: the app crashes on save.', 'world']]],
    ['Preference: I prefer tea.', undefined, [['Preference: I prefer tea.', 'world']]],
    ['Verdict: I prefer tea.', 'assistant', [['Verdict: I prefer tea.', 'world']]],
    [
      'NPC: Garrick runs the inn. Weakness: he gambles.',
      undefined,
      [
        ['NPC: Garrick runs the inn.', 'world'],
        ['Weakness: he gambles.', 'world'],
      ],
    ],
    [
      'Bug: the app crashes.\nSymptom: it hangs.\nBug: the text is cut.\nSymptom: it ends early.\nI like tea.',
      undefined,
      [
        ['Bug: the app crashes.', 'world'],
        ['Symptom: it hangs.', 'world'],
        ['Bug: the text is cut.', 'world'],
        ['Symptom: it ends early.', 'world'],
        ['I like tea.', 'world'],
      ],
    ],
    [
      'Decision: the hotel is booked.\nI booked the hotel.',
      'assistant',
      [
        ['Decision: the hotel is booked.', 'world'],
        ['I booked the hotel.', 'agent'],
      ],
    ],
  ])('%j of the role %s', async (content, role, expected) => {
    const facts = await extract(content, role);
    expect(facts.map(({ text, factType }) => [text, factType])).toEqual(expected);
    expect(facts.flatMap(({ entities }) => entities).filter(({ name }) => content.includes(`${name}:`))).toEqual([]);
  });

  test.each<[string, string, string]>([
    [
      'Felicity: The sea is calm.\nAnna: I agree.\nFelicity: The tea costs five euros. The office is big.',
      'Felicity: The office is big.',
      'Felicity',
    ],
    ['Trinity: The sea is calm.', 'Trinity: The sea is calm.', 'Trinity'],
    [
      'Travel Department: We moved to Rome. The office is big.',
      'Travel Department: The office is big.',
      'Travel Department',
    ],
    [
      'Vendor: The price is 5.\nAnna: I agree.\nVendor: The tea costs five euros. The office is big.',
      'Vendor: The office is big.',
      'Vendor',
    ],
    [
      'Bug: The sea is calm.\nAnna: I agree.\nBug: The tea costs five euros. The office is big.',
      'Bug: The office is big.',
      'Bug',
    ],
    ['[10:45] Bug: The tea costs five euros. The office is big.', 'Bug: The office is big.', 'Bug'],
  ])('but not a name like one, nor who talks: %j', async (content, text, name) => {
    const facts = await extract(content);
    expect(facts.find((fact) => fact.text === text)?.entities.map((entity) => entity.name)).toContain(name);
  });

  test('unless it is known as the name of a person', async () => {
    expect((await extract('Grace: The sea is calm.'))[0]?.entities).toEqual([{ name: 'Grace', type: 'PERSON' }]);
  });
});

describe('an unknown name speaks', () => {
  test.each<[string, string, string[]]>([
    [
      'before several lines',
      'Amara: The sun is out.\nKofi: It rains.\nAmara: The sea is calm. The sky is blue.',
      ['Amara'],
    ],
    [
      'in bold',
      '**Amara**: The sun is out.\n**Kofi**: It rains.\n**Amara**: The sea is calm. The sky is blue.',
      ['Amara'],
    ],
    ['before the first person', 'Kofi: I ski.\nAmara: The sea calms me. The sky is blue.', ['Kofi', 'Amara']],
    ['before a greeting', 'Amara: Hello Kofi, the sea is calm.\nThe sky is blue.', ['Amara']],
    ['before the second person', 'Amara: The sea will calm you.\nThe sky is blue.', ['Amara']],
    ['after a time', '[10:45] Amara: The sea is calm. The sky is blue.', ['Amara']],
    ['before a question', 'Amara: Is the sea calm?\nThe sky is blue.', ['Amara']],
    ['after a question', 'Anna: How is the sea?\nAmara: Calm as ever. The sky is blue.', ['Anna', 'Amara']],
    ['as the only line', 'Amara: The sea looks calm. The sky is blue.', ['Amara']],
  ])('%s', async (_, content, names) => {
    const facts = await extract(content);
    expect(facts.at(-1)?.text).toContain('Amara: The sky is blue.');
    const persons = facts.flatMap(({ entities }) => entities).filter(({ type }) => type === 'PERSON');
    expect(persons.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  test('also in small letters', async () => {
    expect(
      await read('kofi: i moved to rome. the house is big.\nmark_92: the food tastes of fish. the wine is cheap.'),
    ).toEqual([
      ['kofi: i moved to rome.', 'world'],
      ['kofi: the house is big.', 'world'],
      ['mark_92: the food tastes of fish.', 'world'],
      ['mark_92: the wine is cheap.', 'world'],
    ]);
  });

  test('its answer stays with the question', async () => {
    const content = 'Q: Where is the key?\nA: In the drawer.';
    expect((await read(content)).map(([text]) => text)).toEqual([content]);
  });
});

describe('a name before a colon speaks', () => {
  test.each<[string, ItemRole | undefined]>([
    ['Emi: I moved to Rome. My wife is Carla.', undefined],
    ['Anna: I moved to Rome. My wife is Carla.', 'user'],
    ['Emi: Hello.\nFahim: Hello.\nEmi: Where to?\nFahim: I moved to Rome. My wife is Carla.', 'user'],
  ])('in %j of the role %s', async (content, role) => {
    const speaker = content.match(/(\w+): I moved/)?.[1] ?? '';
    const facts = await extract(content, role);
    const last = facts.at(-1);
    expect(last?.text).toBe(`${speaker}: My wife is Carla.`);
    expect(last?.entities).toContainEqual({ name: speaker, type: 'PERSON' });
  });
});

describe('"Me" and "You" speak in an exported chat', () => {
  test.each<[string, ItemRole | undefined, string[]]>([
    [
      'Anna: I moved to Rome.\nMe: I got a new job at Google.\nAnna: Congrats! When do you start?\nMe: On Monday. My boss is called Tom.',
      undefined,
      ['Me: I got a new job at Google.', 'Me: My boss is called Tom.'],
    ],
    [
      '[10:45] Anna: I moved to Rome.\n[10:46] Me: The roof has a hole. My boss is Tom.',
      undefined,
      ['[10:46] Me: The roof has a hole.', 'Me: My boss is Tom.'],
    ],
    [
      'Anna (10:45): I moved.\nMe (10:46): I got a job. My boss is Tom.',
      undefined,
      ['Me (10:46): I got a job.', 'Me: My boss is Tom.'],
    ],
    ['Anna: I moved.\nMe: I got a job. My boss is Tom.', 'user', ['Me: I got a job.', 'Me: My boss is Tom.']],
    ['me: i like tea\nbob: ok\nme: my dog is called rex', undefined, ['me: my dog is called rex']],
    [
      'You: I like cities.\nChatGPT: I recommend Cusco.\nYou: I prefer Cusco. My wife is Carla.',
      undefined,
      ['ChatGPT: I recommend Cusco.', 'You: I prefer Cusco.', 'You: My wife is Carla.'],
    ],
    [
      'assistant: Cusco.\nYou: The city suits us. My wife is Carla.\nassistant: I booked it.\nYou: Thanks.',
      undefined,
      ['You: My wife is Carla.', 'assistant: I booked it.'],
    ],
  ])('%j of the role %s', async (content, role, expected) => {
    const facts = await extract(content, role);
    expect(facts.map(({ text }) => text)).toEqual(expect.arrayContaining(expected));
    expect(facts.flatMap(({ entities }) => entities.map(({ name }) => name.toLowerCase()))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:me|you)$/)]),
    );
  });

  test.each<[string, ItemRole | undefined, string]>([
    ['Who does what:\n- You: book the hotel\n- Me: rent the car\n\nMy wife is Carla.', undefined, 'My wife is Carla.'],
    [
      'Here is the plan:\nYou: book the hotel\nMe: rent the car\nI booked a restaurant.',
      'assistant',
      'I booked a restaurant.',
    ],
    [
      'user: Where to?\nassistant: Here is the plan.\nYou: book the hotel\nI booked a restaurant.',
      undefined,
      'assistant: I booked a restaurant.',
    ],
  ])('but not in a plan: %j of the role %s', async (content, role, expected) => {
    expect((await read(content, role)).map(([text]) => text)).toContain(expected);
  });
});

test('code on one line between fences does not make code of what follows', async () => {
  const facts = await read('Run this:\n```ls -la```\nMy sister lives in Rome. I have two cats.');
  expect(facts.map(([text]) => text)).toEqual(expect.arrayContaining(['My sister lives in Rome.', 'I have two cats.']));
});

describe('the words of a person do not become those of the agent', () => {
  test.each<[string, ItemRole | undefined, string[]]>([
    [
      'Kaveh: Hi there.\nassistant: Sure, hello.\nKaveh: I moved to Lisbon last year.\nassistant: Great.\nKaveh: I think the old flat was better. I will sell my car.',
      undefined,
      ['Kaveh: I will sell my car.'],
    ],
    [
      'assistant: How can I help?\nRavi: Where is my parcel? I think it was lost.\nassistant: It arrives today.\nRavi: After that, I moved to Lisbon.',
      undefined,
      ['Ravi: I think it was lost.'],
    ],
    [
      'Customer: Who is there?\nRavi: I will check. I think that it was lost.',
      undefined,
      ['Ravi: I think that it was lost.'],
    ],
    ['She wrote:\nMaya: I moved to Lisbon. I think that it is great.', 'assistant', []],
    ['April: I think Rome is better. I moved there.', undefined, ['April: I moved there.']],
    ['Sydney: I think Rome is better. I moved there.', undefined, ['Sydney: I moved there.']],
  ])('in %j of the role %s', async (content, role, expected) => {
    const facts = await read(content, role);
    expect(facts.map(([text]) => text)).toEqual(expect.arrayContaining(expected));
    expect(facts.map(([, type]) => type)).toEqual(facts.map(() => 'world'));
  });

  test.each<[string, string]>([
    [
      '[10:45] Mei: Please review the draft.\n[10:46] Ravi: It is good already, but late.',
      '[10:46] Ravi: It is good already, but late.',
    ],
    ['Tom: The tests pass.\nDecision: We ship.', 'Decision: We ship.'],
  ])('nor those of another person: %j', async (content, expected) => {
    expect((await read(content, 'user')).map(([text]) => text)).toContain(expected);
  });
});

describe('several speakers on one line', () => {
  test.each<[string, ItemRole | undefined, [string, string][]]>([
    [
      'Assistant: I booked a room. User: I think cats are better than dogs. They are calm.',
      undefined,
      [
        ['Assistant: I booked a room.', 'agent'],
        ['User: I think cats are better than dogs. They are calm.', 'world'],
      ],
    ],
    [
      'User: I broke my arm. Assistant: I booked a doctor. I think it is urgent.',
      undefined,
      [
        ['User: I broke my arm.', 'world'],
        ['Assistant: I booked a doctor.', 'agent'],
        ['Assistant: I think it is urgent.', 'opinion'],
      ],
    ],
    [
      'AI: Noor to reply. AI: Felix to close.',
      undefined,
      [
        ['AI: Noor to reply.', 'world'],
        ['AI: Felix to close.', 'world'],
      ],
    ],
    [
      'Customer: My parcel is lost. Agent: I will check it. Customer: The number is 5.',
      undefined,
      [
        ['Customer: My parcel is lost.', 'world'],
        ['Agent: I will check it.', 'agent'],
        ['Customer: The number is 5.', 'world'],
      ],
    ],
    [
      'user: I need a room! assistant: I booked a room. user: Perfect! I sent the money to Ben. I think cats are best.',
      undefined,
      [
        ['user: I need a room!', 'world'],
        ['assistant: I booked a room.', 'agent'],
        ['user: Perfect! I sent the money to Ben.', 'world'],
        ['user: I think cats are best.', 'world'],
      ],
    ],
    [
      'User: I broke my arm. Assistant: I booked a doctor.\nI think cats are best.',
      undefined,
      [
        ['User: I broke my arm.', 'world'],
        ['Assistant: I booked a doctor.', 'agent'],
        ['I think cats are best.', 'world'],
      ],
    ],
    [
      'I asked the bot. Assistant: I booked a doctor.',
      'user',
      [
        ['I asked the bot.', 'world'],
        ['Assistant: I booked a doctor.', 'world'],
      ],
    ],
  ])('%j of the role %s', async (content, role, expected) => {
    expect(await read(content, role)).toEqual(expected);
  });

  test.each<[string, ItemRole | undefined, string[]]>([
    [
      'Ending A: the mine closes. Ending B: they flood it on purpose. Leaning to B.',
      undefined,
      ['Ending A: the mine closes.', 'Ending B: they flood it on purpose.', 'Leaning to B.'],
    ],
    [
      'Speaker A: I moved to Rome. Speaker B: I moved to Milan. My sister lives there.',
      undefined,
      ['Speaker A: I moved to Rome.', 'Speaker B: I moved to Milan.', 'Speaker B: My sister lives there.'],
    ],
    [
      'Anna B: I moved to Rome. Anna K: I moved to Milan.',
      undefined,
      ['Anna B: I moved to Rome.', 'Anna K: I moved to Milan.'],
    ],
    [
      'Option A: we fly to Rome. Option B: we take the train.\nI booked the train.',
      'assistant',
      ['Option A: we fly to Rome.', 'Option B: we take the train.', 'I booked the train.'],
    ],
  ])('or several options: %j of the role %s', async (content, role, expected) => {
    const facts = await extract(content, role);
    expect(facts.map(({ text }) => text)).toEqual(expected);
    expect(facts.at(-1)?.factType).toBe(role === undefined ? 'world' : 'agent');
    expect(facts.flatMap(({ entities }) => entities.map(({ name }) => name))).not.toContain('Option A');
  });

  test.each<[string, string]>([
    ['Anna: Take one. Option A: the Ritz. Option B: the Hilton. I like the view.', 'Anna: I like the view.'],
    ['Option A: "It is best. Option B: no." said Tom. I prefer A.', 'Option A: I prefer A.'],
    ['Anna: I moved. Update: The flat is big. I like the view.', 'Anna: I like the view.'],
    ['Anna: I quit. TLDR: I moved away. I like the view.', 'Anna: I like the view.'],
    ['Anna: I have kids. Tom: 5, Eve: 7. I love my kids.', 'Anna: I love my kids.'],
    ['assistant: Set it up. System: Linux. Client: React. I booked the hotel.', 'assistant: I booked the hotel.'],
    ['Anna: He said "I ski. Ben: I do not." aloud. I like the view.', 'Anna: I like the view.'],
    ['User: It said "I ski. Assistant: I do not." aloud. I like the view.', 'User: I like the view.'],
  ])('but not a label, nor what is quoted: %j', async (content, expected) => {
    expect((await read(content)).map(([text]) => text)).toContain(expected);
  });

  test.each<[string, string]>([
    ['Anna: I need a hotel. Assistant: I booked it. Anna: Perfect. I sent the money. I think it is cheap.', 'world'],
    ['User: Book it. Anna: I need it. Assistant: I booked it. Anna: I think it is cheap.', 'world'],
    ['User: Book a room. Mira: I booked a room. User: Honestly, I think cats are better than dogs.', 'world'],
    [
      'Assistant: Here is the plan. Anna: Book the hotel. Ben: Call the bank.\n\nI booked the flights for you.',
      'agent',
    ],
    ['Assistant: I made a diagram. User: Has many orders. I recommend an index.', 'agent'],
  ])('but no names nor descriptions of a user: the last words of %j are %s', async (content, expected) => {
    const facts = await extractor.extract({ content, eventDate: '2023-05-08', context: null, agentName: 'mira' });
    expect(facts.at(-1)?.factType).toBe(expected);
  });
});

describe('a speaker in the form of an exported chat or a transcript', () => {
  test.each([
    '5/14/24, 10:43 AM - Ben: ',
    '14.05.2024, 10:43 - Ben: ',
    '2024-05-14, 10:43:07 - Ben: ',
    '[5/14/24, 10:43:07 AM] Ben: ',
    'Ben (10:43): ',
  ])('%s', async (prefix) => {
    const facts = await extract(`${prefix}I booked Rome for the client. My sister hated it.\nI think it was too hot.`);
    expect(facts.map(({ factType }) => factType)).toEqual(['world', 'world', 'world']);
    expect(facts.slice(1).map(({ text }) => text)).toEqual([
      'Ben: My sister hated it.',
      'Ben: I think it was too hot.',
    ]);
  });

  test('of an unknown name', async () => {
    const content =
      'SPEAKER_00: I think Rome is too hot.\nSPEAKER_01: The sea is calm.\nSPEAKER_00: My sister hated it.';
    expect(await read(content)).toContainEqual(['SPEAKER_00: I think Rome is too hot.', 'world']);
    expect(await read('5/14/24, 10:43 AM - Amara: The sea is calm. The sky is blue.', 'user')).toContainEqual([
      'Amara: The sky is blue.',
      'world',
    ]);
  });

  test('begins a fact, even after an unfinished line', async () => {
    const facts = await read(
      '5/14/24, 10:43 AM - Amara: I moved my boat to the\n5/14/24, 10:44 AM - Kofi: The sea is calm.',
    );
    expect(facts.map(([text]) => text)).toContain('5/14/24, 10:44 AM - Kofi: The sea is calm.');
  });

  test.each([
    ['14-11-2024 19:06 - '],
    ['14/11/2024 19:06 - '],
    ['14/11/2024 à 19:06 - '],
    ['14/11/24, 7:06 p. m. - '],
    ['11/14/24, 7:06\u202fPM - '],
    ['\u200e[11/14/24, 7:06:01 PM] '],
  ])('speaks after %j', async (stamp) => {
    const facts = await read(
      `${stamp}Quoll: The old harbour has closed for the winter. The new boats are at the lake.`,
    );
    expect(facts.map(([text]) => text)).toContain('Quoll: The new boats are at the lake.');
  });

  test('does not say what follows on a line of the export without a speaker', async () => {
    const content =
      '5/14/24, 10:43 AM - Ben: I moved to Rome.\n5/14/24, 10:44 AM - Ben left\nThe sea is calm.\n5/14/24, 10:45 AM - Anna: I moved to Milan.';
    expect((await read(content)).map(([text]) => text)).toEqual([
      '5/14/24, 10:43 AM - Ben: I moved to Rome.',
      '5/14/24, 10:44 AM - Ben left',
      'The sea is calm.',
      '5/14/24, 10:45 AM - Anna: I moved to Milan.',
    ]);
  });

  test('says what follows after a time in brackets', async () => {
    const facts = await read('[10:43] Ben: I moved to Rome.\n[10:44] The sea is calm here.');
    expect(facts.map(([text]) => text)).toContain('Ben: [10:44] The sea is calm here.');
  });

  test.each([
    ['2024-05-06 09:00 Backup: done. I restarted the server. I sent the report.', 'I sent the report.'],
    ['2024-05-06 09:00 Kickoff: agenda sent\n2024-05-06 14:00 Retro: cancelled\nI will be late.', 'I will be late.'],
    [
      '2024-05-01 10:30:12 ERROR: no connection\n2024-05-01 10:30:14 WARN: disk is full\nThe server was restarted.',
      'The server was restarted.',
    ],
    ['2024-05-01 12:00 Louvre: by metro\nI paid the tickets.', 'I paid the tickets.'],
    ['2024-05-06 14:00 - Retro: cancelled\nI will be late.', 'I will be late.'],
    ['ERROR_404: page not found. We fixed the page.', 'We fixed the page.'],
    ['2024-05-01 10:30 Dentist: Anna has a cavity. The visit was short.', 'The visit was short.'],
    ['Gym 18:00: leg day with Ben. The room was hot.', 'The room was hot.'],
    ['John 3:16: For God so loved the world. The verse is known.', 'The verse is known.'],
    ['Max_Connections: 100! We changed it.', 'We changed it.'],
    ['<note> The door is open. We left.', 'We left.'],
  ])('but no other word after or before a time, nor a tag: %j', async (content, expected) => {
    expect((await read(content)).map(([text]) => text)).toContain(expected);
  });

  test.each<[string, ItemRole | undefined]>([
    ['Here is the plan:\n10:00 Louvre: skip the line.\nI booked the tickets for you.', 'assistant'],
    ['10:43 PM: I slept.\nI booked the tickets for you.', 'assistant'],
  ])('but a plan is not said by anyone: %j', async (content, role) => {
    expect(await read(content, role)).toContainEqual(['I booked the tickets for you.', 'agent']);
  });
});

describe('a name does not say what follows', () => {
  test.each<[string, string[]]>([
    [
      'Action items:\n- Anna: update the roadmap\n- Ben: fix the login bug\n\nThe budget was approved. My wife is Carla.',
      ['Action items:\n- Ben: fix the login bug', 'The budget was approved.', 'My wife is Carla.'],
    ],
    ['Dear Ms. Smith:\nI am writing to you. The room was cold.', ['The room was cold.']],
    ['Hi Tom:\nI am in Rome. The room was cold.', ['The room was cold.']],
    ['Thanks Ben:\nI am in Rome. The room was cold.', ['The room was cold.']],
  ])('in %j', async (content, expected) => {
    expect((await read(content)).map(([text]) => text)).toEqual(expect.arrayContaining(expected));
  });

  test('in a list, except on the indented lines of its entry', async () => {
    const facts = await read('Minutes\n- Anna: the budget is approved.\n  We hire Ben.\nThe room was cold.');
    expect(facts.map(([text]) => text)).toEqual(expect.arrayContaining(['Anna: We hire Ben.', 'The room was cold.']));
  });

  test('in a list, except in the first person or by role', async () => {
    expect(await read('- Ben: I fixed the bug\n\nThe budget was approved.')).toContainEqual([
      'Ben: The budget was approved.',
      'world',
    ]);
    expect(
      await read('- user: I need tickets.\n- assistant: The train is cheap.\n\nI booked the tickets for you.'),
    ).toContainEqual(['assistant: I booked the tickets for you.', 'agent']);
  });
});

test('quoted lines are not the own words of the agent', async () => {
  const content = 'You wrote:\n> I think Rome is too hot. I booked a flight there.\n\nI sent it to Anna.';
  expect(await read(content, 'assistant')).toEqual([
    ['You wrote:\n> I think Rome is too hot.', 'world'],
    ['I booked a flight there.', 'world'],
    ['I sent it to Anna.', 'agent'],
  ]);
  expect(await read('> 5 people are coming. I booked a bigger table.', 'assistant')).toContainEqual([
    'I booked a bigger table.',
    'agent',
  ]);
});

test.each(['model', 'Model', 'MODEL'])('in transcripts of Gemini, "%s" is the agent', async (model) => {
  const content = `User: Where should I go?\n${model}: I recommend Rome. I booked a hotel for you.\nUser: Thanks.\n${model}: I think Rome is better than Milan.`;
  expect((await read(content)).map(([, type]) => type)).toEqual(['world', 'agent', 'agent', 'world', 'opinion']);
});

test('months that are names speak where they recur', async () => {
  const facts = await extract(
    'April: Hi Tom.\nTom: Hi April.\nJune: Hello.\nApril: The sun is out.\nJune: It rains here.',
  );
  const names = facts.flatMap(({ entities }) => entities).filter(({ type }) => type === 'PERSON');
  expect(new Set(names.map(({ name }) => name))).toEqual(new Set(['April', 'June', 'Tom']));
});

test.each(['Hope Solo', 'An Nguyen', 'Can Yılmaz', 'Do Kyung', 'Ty'])(
  '%s is the name of a person who speaks',
  async (name) => {
    const [fact] = await extract(`${name}: I moved to Rome.`);
    expect(fact?.entities).toContainEqual({ name, type: 'PERSON' });
  },
);

test('a wrapped line goes on with its sentence, though it begins with a name and a colon', async () => {
  const facts = await read('We talked to the lead of the project and\nAnna: she confirmed the date to us.');
  expect(facts).toHaveLength(1);
});
