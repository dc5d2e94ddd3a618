import { describe, expect, test } from 'vitest';
import { createRuleExtractor } from './rule-extractor.ts';

const extractor = createRuleExtractor();

async function textsOf(content: string): Promise<string[]> {
  const facts = await extractor.extract({ content, eventDate: '2023-05-08T13:56:00Z', context: null });
  return facts.map(({ text }) => text);
}

describe('each statement of a text about a person is a fact', () => {
  test.each<[string, string[]]>([
    ['I live in Porto. I have two cats. I play chess.', ['I live in Porto.', 'I have two cats.', 'I play chess.']],
    ['I was born in 1989! I am vegan. I hate mornings.', ['I was born in 1989!', 'I am vegan.', 'I hate mornings.']],
    ['My dog is called Rex. Rex barks.', ['My dog is called Rex.', 'Rex barks.']],
    ['My flat has 3.5 rooms. I pay 1,200.50 euros.', ['My flat has 3.5 rooms.', 'I pay 1,200.50 euros.']],
    ['Dr. Smith lives in Rome. Mrs. Jones has a car.', ['Dr. Smith lives in Rome.', 'Mrs. Jones has a car.']],
    ['I like fruit, e.g. Elstar apples. I bake pies.', ['I like fruit, e.g. Elstar apples.', 'I bake pies.']],
    ['I live in the U.S. My son joined the U.S. Army.', ['I live in the U.S.', 'My son joined the U.S. Army.']],
    [
      'We met at 3.30 p.m. on Oct. 12 2022 at Acme Inc. in Rome.',
      ['We met at 3.30 p.m. on Oct. 12 2022 at Acme Inc. in Rome.'],
    ],
    ['My site is http://a.example/b?c=d and it is new.', ['My site is http://a.example/b?c=d and it is new.']],
    [
      'I moved 🎉🎉! My dog is happy 😀. I got a new job 🚀.',
      ['I moved 🎉🎉!', 'My dog is happy 😀.', 'I got a new job 🚀.'],
    ],
    ['i moved to lisbon my sister works at a bank', ['i moved to lisbon my sister works at a bank']],
    [
      'i moved to lisbon. my dog is called rex. i work at acme now!',
      ['i moved to lisbon.', 'my dog is called rex.', 'i work at acme now!'],
    ],
    ['anna: i live in porto. i have two cats', ['anna: i live in porto.', 'anna: i have two cats']],
    ['Anna: i live in porto. porto is warm', ['Anna: i live in porto.', 'Anna: porto is warm']],
    ['I moved to lisbon. my dog is called rex.', ['I moved to lisbon.', 'my dog is called rex.']],
    ['i saw a bear. it was huge! then i ran home.', ['i saw a bear. it was huge!', 'then i ran home.']],
    ['i like fruit, e.g. elstar apples. we grow them', ['i like fruit, e.g. elstar apples.', 'we grow them']],
    [
      'my sister is dr. smith. we met at 5 p.m. near the u.s. embassy',
      ['my sister is dr. smith.', 'we met at 5 p.m. near the u.s. embassy'],
    ],
    ['We live on 5th Ave. near the park.', ['We live on 5th Ave. near the park.']],
    ['i run git add . && git push every day', ['i run git add . && git push every day']],
    ['well... i think so', ['well... i think so']],
    ['i moved to lisbon\nmy sister works at a bank', ['i moved to lisbon', 'my sister works at a bank']],
    [
      'The tower was built in 1889 and it is\n330 metres tall.',
      ['The tower was built in 1889 and it is\n330 metres tall.'],
    ],
    [
      'I live in\nLisbon with my wife and\ntwo kids.\nI teach physics.',
      ['I live in\nLisbon with my wife and\ntwo kids.', 'I teach physics.'],
    ],
  ])('%j', async (content, expected) => {
    expect(await textsOf(content)).toEqual(expected);
  });
});

describe('what states nothing alone joins its neighbour', () => {
  test.each<[string, string[]]>([
    ['Yes! Haha! I adopted a puppy.', ['Yes! Haha! I adopted a puppy.']],
    ['I adopted a puppy. Thanks so much! Bye!', ['I adopted a puppy. Thanks so much! Bye!']],
    ['Hey Mel! Good to see you! How have you been?', ['Hey Mel! Good to see you! How have you been?']],
    ['I saw a bear. It was huge! It had been asleep.', ['I saw a bear. It was huge! It had been asleep.']],
    ['I feed the birds. They eat seeds. I sleep late.', ['I feed the birds. They eat seeds.', 'I sleep late.']],
    ['Congratulations, Anna! I finished my thesis.', ['Congratulations, Anna! I finished my thesis.']],
    ['😀😀😀 I finished my thesis.', ['😀😀😀 I finished my thesis.']],
    ['OK.', ['OK.']],
    ['Where is the key? I left it at home.', ['Where is the key?', 'I left it at home.']],
    ['I went camping. Have you ever seen a bear?', ['I went camping.', 'Have you ever seen a bear?']],
  ])('%j', async (content, expected) => {
    expect(await textsOf(content)).toEqual(expected);
  });
});

describe('clauses are divided only where each certainly stands alone', () => {
  test.each<[string, string[]]>([
    ['I moved to Lisbon and my sister works at a bank.', ['I moved to Lisbon', 'My sister works at a bank.']],
    ['I like tea; my brother likes coffee.', ['I like tea', 'My brother likes coffee.']],
    ['We live in Rome, but our son lives in Bern.', ['We live in Rome', 'Our son lives in Bern.']],
    ['I went to Rome and Anna went to Paris.', ['I went to Rome', 'Anna went to Paris.']],
    ['Anna: I play golf and my wife juggles.', ['Anna: I play golf and my wife juggles.']],
    ['Anna: I play golf and my wife plays chess.', ['Anna: I play golf', 'Anna: My wife plays chess.']],
    ['He lives in Rome but works in Milan.', ['He lives in Rome but works in Milan.']],
    ['I bought a car and it broke down.', ['I bought a car and it broke down.']],
    ['I think that Bob left and my sister stayed.', ['I think that Bob left and my sister stayed.']],
    ['If it rains I stay in and my wife drives.', ['If it rains I stay in and my wife drives.']],
    ['She said he left and my sister cried.', ['She said he left and my sister cried.']],
    ['Yesterday I moved and my sister left.', ['Yesterday (7 May 2023) I moved and my sister left.']],
    ['My wife and I live in Rome and Milan.', ['My wife and I live in Rome and Milan.']],
    ['I sang "I moved and my sister left" aloud.', ['I sang "I moved and my sister left" aloud.']],
  ])('%j', async (content, expected) => {
    expect(await textsOf(content)).toEqual(expected);
  });
});

describe('a pronoun becomes a name where only one person can be meant', () => {
  test.each<[string, string[]]>([
    ['Maria is a nurse. She works in Porto.', ['Maria is a nurse.', 'Maria works in Porto.']],
    ['Maria is a nurse and she works in Porto.', ['Maria is a nurse', 'Maria works in Porto.']],
    ['She finished her Ph.D. She now works at CERN.', ['She finished her Ph.D.', 'She now works at CERN.']],
    ['Anna has a Ph.D in law. She works in Porto.', ['Anna has a Ph.D in law.', 'Anna works in Porto.']],
    ["Tom is a cook. He's from Bern.", ['Tom is a cook.', "Tom's from Bern."]],
    ['Tom and Maria moved. She works in Porto.', ['Tom and Maria moved.', 'Maria works in Porto.']],
    ['Maria met Anna. She works in Porto.', ['Maria met Anna.', 'She works in Porto.']],
    ['Maria has a sister. She works in Porto.', ['Maria has a sister.', 'She works in Porto.']],
    ['Tom has a dog. He eats a lot of meat.', ['Tom has a dog.', 'He eats a lot of meat.']],
    ['My sister lives in Rome. She works at a bank.', ['My sister lives in Rome.', 'My sister works at a bank.']],
    ['My wife Carla is a doctor. She works at night.', ['My wife Carla is a doctor.', 'Carla works at night.']],
    ['I met Alex today. She works in Porto.', ['I met Alex today (8 May 2023).', 'Alex works in Porto.']],
    ['Maria: I live here. She works in Porto.', ['Maria: I live here.', 'Maria: She works in Porto.']],
    ['Maria: I live here.\nBen: She works in Porto.', ['Maria: I live here.', 'Ben: She works in Porto.']],
    ['He works in Porto. Tom is a cook.', ['He works in Porto.', 'Tom is a cook.']],
    [
      'My name is Ana. My aunt paints. She lives in Bern.',
      ['My name is Ana.', 'My aunt paints.', 'My aunt lives in Bern.'],
    ],
  ])('%j', async (content, expected) => {
    expect(await textsOf(content)).toEqual(expected);
  });

  test.each<[string, string]>([
    ['I told my dad about the burglar. He was arrested last week.', 'He was arrested last week (week of 1 May 2023).'],
    ['My brother hired an electrician. He charged 300 euros.', 'He charged 300 euros.'],
    ['Tom met the mechanic. He was drunk and broke the car.', 'He was drunk and broke the car.'],
    ['Anna hired a babysitter. She is 17 years old.', 'She is 17 years old.'],
    ['Maria talked to her tutor. She is from Ireland.', 'She is from Ireland.'],
    ['I met the new CEO with Peter. He earns a million a year.', 'He earns a million a year.'],
    ["Tom's boss called. He was angry.", 'He was angry.'],
    ['My dad woke up. There was a thief. He ran away.', 'He ran away.'],
    ['When I called the plumber, Tom was there. He was late.', 'He was late.'],
    ['My dog walker lives in Rome. He is 20.', 'He is 20.'],
  ])('and stays where a person without a name can be meant: %j', async (content, expected) => {
    expect((await textsOf(content)).at(-1)).toBe(expected);
  });

  test.each<[string, string]>([
    ['Tom bought a computer. He likes it.', 'Tom likes it.'],
    ['My dad has a better job at the newspaper. He starts in winter.', 'My dad starts in winter.'],
    ['Maria ate dinner at an elegant restaurant. She paid.', 'Maria paid.'],
    ['Tom is a very good software engineer. He lives in Bern.', 'Tom lives in Bern.'],
    ['Peter works as an independent contractor. He lives in Bern.', 'Peter lives in Bern.'],
    ['Maria is a nurse and a mother of two. She lives in Bern.', 'Maria lives in Bern.'],
    ['Tom, a carpenter, built our house. He lives in Bern.', 'Tom lives in Bern.'],
    ['My mother, a nurse, is well. She lives in Bern.', 'My mother lives in Bern.'],
    ['Anna met a policeman. She lives in Bern.', 'Anna lives in Bern.'],
    ['My plumber came. He charged 300 euros.', 'My plumber charged 300 euros.'],
  ])('but not where things are mentioned, or what somebody is: %j', async (content, expected) => {
    expect((await textsOf(content)).at(-1)).toBe(expected);
  });

  test('the name is an entity of the fact', async () => {
    const [, fact] = await extractor.extract({
      content: 'Maria is a nurse. She works in Porto.',
      eventDate: '',
      context: null,
    });
    expect(fact?.entities).toEqual([
      { name: 'Maria', type: 'PERSON' },
      { name: 'Porto', type: 'PLACE' },
    ]);
  });
});

describe('many speakers in one item', () => {
  test.each<[string, string[]]>([
    ['Alice: I moved to Rome\nBob: I like tea', ['Alice: I moved to Rome', 'Bob: I like tea']],
    ['Alice: I moved. I got a dog.\nBob: I ski.', ['Alice: I moved.', 'Alice: I got a dog.', 'Bob: I ski.']],
    [
      'Alice: Do you like tea?\nBob: Yes! I drink it daily.',
      ['Alice: Do you like tea?\nBob: Yes!', 'Bob: I drink it daily.'],
    ],
    ['Alice: I bought a boat.\nBob: Wow!', ['Alice: I bought a boat.\nBob: Wow!']],
    ['Alice: I bought a boat.\nBob: Wow! I bought a car.', ['Alice: I bought a boat.', 'Bob: Wow! I bought a car.']],
    [
      '[10:42] Alice: I moved to Rome\n[10:43] Bob: I like tea',
      ['[10:42] Alice: I moved to Rome', '[10:43] Bob: I like tea'],
    ],
    ['User: I like tea.\nAssistant: I booked a table.', ['User: I like tea.', 'Assistant: I booked a table.']],
  ])('%j', async (content, expected) => {
    expect(await textsOf(content)).toEqual(expected);
  });
});

describe('quotes, lists, tables and code stay whole', () => {
  test.each<[string, string[]]>([
    [
      'Tom said "I love it. It is great." and left. I sang.',
      ['Tom said "I love it. It is great." and left.', 'I sang.'],
    ],
    ['Ingredients:\n- flour\n- two eggs\n\nI bake bread.', ['Ingredients:\n- flour\n- two eggs', 'I bake bread.']],
    [
      'My plans:\n1. I will move to Rome.\n2. Buy a car',
      ['My plans:\n1. I will move to Rome.', 'My plans:\n2. Buy a car'],
    ],
    ['- I moved to Rome.\n- My sister left.', ['I moved to Rome.', 'My sister left.']],
    ['| Name | Age |\n|---|---|\n| Anna | 30 |', ['| Name | Age |\n|---|---|\n| Anna | 30 |']],
    ['Use this:\n```js\na = 1.\nB = 2.\n```\nI like code.', ['Use this:\n```js\na = 1.\nB = 2.\n```', 'I like code.']],
    ['```\nName: x\nI: y\n```', ['```\nName: x\nI: y\n```']],
    [
      'assistant: Steps:\n- **Backend**: use Flask\n- **Tests**: write some',
      ['assistant: Steps:\n- **Backend**: use Flask\n- **Tests**: write some'],
    ],
    ['### Family\nI have two sons.', ['### Family\nI have two sons.']],
  ])('%j', async (content, expected) => {
    expect(await textsOf(content)).toEqual(expected);
  });

  test('each fact of a long table has its first row, each of a long list the line before it', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `| person ${index} | a town with the number ${index} |`);
    const table = await textsOf(['| Name | Town |', ...rows].join('\n'));
    expect(table.length).toBeGreaterThan(2);
    expect(table.every((text) => text.startsWith('| Name | Town |\n') && text.length < 350)).toBe(true);
    const entries = Array.from({ length: 30 }, (_, index) => `- thing ${index} of some length`);
    const list = await textsOf(['To pack:', ...entries].join('\n'));
    expect(list.length).toBeGreaterThan(2);
    expect(list.every((text) => text.startsWith('To pack:\n- '))).toBe(true);
  });
});

describe('one long line', () => {
  test.each([
    ['of labels', 'Key', 'Key'],
    ['of several labels', 'Item', 'Price'],
    ['of several speakers', 'User', 'Assistant'],
  ])('%s has about 1,000 facts', async (_, first, second) => {
    const pair = (index: number) => `${first}: the value ${index}. ${second}: the amount ${index}.`;
    const content = Array.from({ length: 9_000 }, (__, index) => pair(index)).join(' ');
    expect((await textsOf(content)).length).toBeLessThan(2_000);
  });
});

describe('a title without a colon stays with its list', () => {
  test.each<[string, string[]]>([
    ['Shopping list\n- milk\n- eggs', ['Shopping list\n- milk\n- eggs']],
    ['shopping list\n- milk\n- eggs', ['shopping list\n- milk\n- eggs']],
    ['Steps to reset the router\n1. Plug it out.\n2. Wait.', ['Steps to reset the router\n1. Plug it out.\n2. Wait.']],
    ['Release notes 7.3.2\n\n- Fixed: crash\n- New: bar', ['Release notes 7.3.2\n\n- Fixed: crash\n- New: bar']],
    [
      'I live in Porto.\nGuests for Friday\n- Ole Berg\n- Kim Dahl',
      ['I live in Porto.', 'Guests for Friday\n- Ole Berg\n- Kim Dahl'],
    ],
    [
      'Action items\n- Noor: prepare the deck\n- Felix: close the books',
      ['Action items\n- Noor: prepare the deck', 'Action items\n- Felix: close the books'],
    ],
  ])('%j', async (content, expected) => {
    expect(await textsOf(content)).toEqual(expected);
  });

  test.each<[string, string[]]>([
    ['Anna moved to Rome\n- milk\n- eggs', ['Anna moved to Rome', '- milk\n- eggs']],
    ['Anna Schmidt moved to Rome\n- milk\n- eggs', ['Anna Schmidt moved to Rome', '- milk\n- eggs']],
    ['Ben quit\n- milk\n- eggs', ['Ben quit', '- milk\n- eggs']],
    ['Yesterday Anna moved to Rome\n- milk\n- eggs', ['Yesterday (7 May 2023) Anna moved to Rome', '- milk\n- eggs']],
    ['Carla Lima is pregnant\n- milk\n- eggs', ['Carla Lima is pregnant', '- milk\n- eggs']],
    ['I like tea and cake\n- milk\n- eggs', ['I like tea and cake', '- milk\n- eggs']],
    ['The house is big.\n- milk\n- eggs', ['The house is big.', '- milk\n- eggs']],
    ['Kind regards from Rome\n- Anna', ['Kind regards from Rome', '- Anna']],
    [
      '- milk\n- eggs from the farm\n  near the lake\n- tea\n- jam',
      ['- milk\n- eggs from the farm', 'near the lake', '- tea\n- jam'],
    ],
  ])('but no sentence does, nor what goes on with another line: %j', async (content, expected) => {
    expect(await textsOf(content)).toEqual(expected);
  });
});

describe('other languages than English are grouped up to 300 characters', () => {
  test.each([
    ['Ich wohne in Berlin. Meine Schwester arbeitet bei einer Bank.'],
    ['Vivo en Madrid. Mi hermana trabaja en un banco.'],
    ['J’habite à Paris. Ma sœur travaille dans une banque.'],
    ['Я живу в Москве. Моя сестра работает в банке.'],
    ['私は東京に住んでいます。妹は銀行で働いています。'],
    ['أعيش في القاهرة. أختي تعمل في بنك.'],
  ])('%j', async (content) => {
    expect(await textsOf(content)).toEqual([content]);
  });
});

describe('the number of facts is bounded', () => {
  test('a sentence without an end is cut at 1,000 characters', async () => {
    const texts = await textsOf(`I walked ${'and walked and walked '.repeat(200)}home.`);
    expect(texts.length).toBeGreaterThan(4);
    expect(texts.length).toBeLessThan(8);
    expect(texts.every(({ length }) => length <= 1_000)).toBe(true);
  });

  test('a long line of code or of a table is cut as well', async () => {
    for (const content of [`\`\`\`\n${'let x = 1; '.repeat(1_000)}\n\`\`\``, `| ${'a | '.repeat(3_000)}`]) {
      const texts = await textsOf(content);
      expect(texts.length).toBeGreaterThan(7);
      expect(texts.every(({ length }) => length <= 1_400)).toBe(true);
    }
  });

  test('a book has about as many facts as pieces of 300 characters', async () => {
    const sentences = Array.from(
      { length: 12_000 },
      (_, index) => `The visitor ${index} bought a ticket for the boat.`,
    );
    const content = sentences.join(' ');
    const facts = await textsOf(content);
    expect(facts.length).toBeLessThan(content.length / 200);
    expect((await textsOf(sentences.slice(0, 40).join(' '))).length).toBe(40);
  });
});
