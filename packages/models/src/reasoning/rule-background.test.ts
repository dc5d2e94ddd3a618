import { longestStallOf } from '@mneme/workers/testing';
import { describe, expect, it, test } from 'vitest';
import { createRuleBackground } from './rule-background.ts';

const background = createRuleBackground();

function merge(current: string, addition: string): Promise<string> {
  return background.merge({ current, addition });
}

describe('the first person', () => {
  test.each([
    ['You are a nurse.', 'I am a nurse.'],
    ["You're kind and you love your cat.", 'I am kind and I love my cat.'],
    ['Your name is Max', 'My name is Max.'],
    ['You were born in Rome, and your friends call you Max.', 'I was born in Rome, and my friends call me Max.'],
    ['People trust you. The house is yours.', 'People trust me. The house is mine.'],
    ['The agent is a careful librarian.', 'I am a careful librarian.'],
    ['The agent always watches birds.', 'I always watch birds.'],
    ['The assistant has two cats and studies law.', 'I have two cats and studies law.'],
    ["The agent's favourite city is Rome.", 'My favourite city is Rome.'],
    ['The agent was a teacher.', 'I was a teacher.'],
    ["The agent doesn't like noise.", "I don't like noise."],
    ['A curious explorer from Kyoto.', 'I am a curious explorer from Kyoto.'],
    ['I help you with your trips.', 'I help you with your trips.'],
    ['Anna is my neighbour.', 'Anna is my neighbour.'],
    ['Kyoto is old.', 'Kyoto is old.'],
    ['You are a .NET developer.', 'I am a .NET developer.'],
    ["You aren't shy.", 'I am not shy.'],
    [
      "You are Pim, a careful and friendly support agent. If a user writes 'I want a refund', ask for the order number.",
      "I am Pim, a careful and friendly support agent. If a user writes 'I want a refund', ask for the order number.",
    ],
    ['You never say "I told you so" to your users.', 'I never say "I told you so" to my users.'],
    ["When you hear 'you're late', you stay calm.", "When I hear 'you're late', I stay calm."],
    ['You are an anxious poet. Call me Sam.', 'I am an anxious poet. Call me Sam.'],
    ['Call me Sam. You are an anxious poet.', 'Call me Sam. I am an anxious poet.'],
    ['You live in Braga. You answer in my language.', 'I live in Braga. I answer in your language.'],
    [
      'You are a curious travel guide from Porto. I think that Lisbon is lovely.',
      'I am a curious travel guide from Porto. I think that Lisbon is lovely.',
    ],
    ["You're the assistant that I have always wanted.", 'I am the assistant that you have always wanted.'],
    ['You can call me Sam.', 'You can call me Sam.'],
    ['I am Pim. You can ask me anything.', 'I am Pim. You can ask me anything.'],
    ['You may ask me anything. I am Pim.', 'You may ask me anything. I am Pim.'],
    ['I am Pim. Call me Sam. You are always welcome.', 'I am Pim. Call me Sam. You are always welcome.'],
  ])('%s', async (addition, expected) => {
    expect(await merge('', addition)).toBe(expected);
  });
});

describe('what is new holds', () => {
  test.each([
    ['name', 'My name is Max.', 'Your name is Mia.', 'My name is Mia.'],
    ['name', 'You are Pim.', 'Your name is Pom.', 'My name is Pom.'],
    ['name', 'I am Pim.', 'You are Pom.', 'I am Pom.'],
    ['name', 'You are Ava.', 'You are called Iris.', 'I am called Iris.'],
    ['name', 'My name is Pim.', 'I am Ava.', 'I am Ava.'],
    ['name', 'I am Ava Chen.', 'Your name is Pom.', 'My name is Pom.'],
    [
      'number',
      'My working hours are 9 to 17 CET.',
      'Your working hours are 8 to 16 CET.',
      'My working hours are 8 to 16 CET.',
    ],
    ['job', 'I am a support agent at Quarry Software.', 'I work for Ferrous Labs.', 'I work for Ferrous Labs.'],
    ['age', 'I am 30 years old.', 'You are 31 years old.', 'I am 31 years old.'],
    ['job', 'I work as a cook.', 'You are a teacher.', 'I am a teacher.'],
    ['job', 'I am a software engineer at Acme.', 'You work at Globex.', 'I work at Globex.'],
    ['job', 'I work as a nurse.', 'I have worked as a cook since 2019.', 'I have worked as a cook since 2019.'],
    ['job', 'I work at Acme.', 'I have worked for Globex for a year.', 'I have worked for Globex for a year.'],
    ['home', 'I no longer live in Rome.', 'You live in Rome.', 'I live in Rome.'],
    ['job', 'I am a junior engineer.', 'You are a senior engineer.', 'I am a senior engineer.'],
    ['job', 'I work as a nurse in Rome.', 'You work as a nurse in Berlin.', 'I work as a nurse in Berlin.'],
    ['status', 'I am married to Anna.', 'You are married to Berta.', 'I am married to Berta.'],
    ['home', 'I live in Rome, Italy.', 'You live in Rome, Georgia.', 'I live in Rome, Georgia.'],
    ['home', 'I live in Rome.', 'You moved to Security City.', 'I moved to Security City.'],
    ['home', 'I live in Rome.', 'You have moved to Paris.', 'I have moved to Paris.'],
    ['home', 'I currently live in Rome.', 'You no longer live in Rome.', 'I no longer live in Rome.'],
    ['taste', 'I love tea.', 'You hate tea.', 'I hate tea.'],
    ['taste', 'I really like loud music.', 'You do not like loud music anymore.', 'I do not like loud music anymore.'],
    ['favourite', 'My favourite colour is blue.', 'Your favorite colour is red.', 'My favorite colour is red.'],
    ['status', 'I am single.', 'You are married.', 'I am married.'],
    ['quality', 'I am shy.', 'You are not shy; you love parties.', 'I am not shy; I love parties.'],
    ['quality', 'I am not very shy.', "You're shy!", 'I am shy!'],
    ['quality', 'I am shy and patient.', 'You are no longer shy.', 'I am patient. I am no longer shy.'],
    [
      'home',
      'I live in Porto.',
      'You live in Braga. You answer in my language.',
      'I live in Braga. I answer in your language.',
    ],
    ['status', 'I am married.', 'You are no longer married.', 'I am no longer married.'],
    ['age', 'I am 30.', 'You are 31.', 'I am 31.'],
    ['job', 'I work as a nurse in Porto.', 'You are now a teacher at Globex.', 'I am now a teacher at Globex.'],
    ['name', 'My name is Mira.', 'my name is Max', 'my name is Max.'],
    ['age', 'I am 30.', 'i am 31', 'i am 31.'],
    ['home', 'I live in Rome.', 'i live in Berlin', 'i live in Berlin.'],
    ['home', 'I live in Rome.', 'you live in lisbon now', 'I live in lisbon now.'],
    ['home', 'I live in Rome.', 'you live in new york', 'I live in new york.'],
    ['home', 'I live in a small flat in Rome.', 'You live in Berlin.', 'I live in Berlin.'],
    ['street', 'I live on Elm Street.', 'You live on Oak Street.', 'I live on Oak Street.'],
    ['status', 'I am married.', 'i am single', 'i am single.'],
    ['job', 'My job is teaching.', 'Your job is nursing.', 'My job is nursing.'],
    ['job', 'I work at Acme.', 'you work at globex', 'I work at globex.'],
    ['statement', 'I prefer tea to coffee.', 'You prefer tea to coffee!', 'I prefer tea to coffee.'],
    ['statement', 'I prefer tea to coffee.', 'You prefer coffee to tea.', 'I prefer coffee to tea.'],
    [
      'statement',
      'I have studied the old bridges of many small towns along the river since 2019.',
      'You have studied the old bridges of many small towns along the river since 2021.',
      'I have studied the old bridges of many small towns along the river since 2021.',
    ],
    [
      'statement',
      'I am kind. I have two black cats and one dog that sleeps in the garden. I sing.',
      'You have two black cats and one dog that sleeps in the big garden.',
      'I am kind. I have two black cats and one dog that sleeps in the big garden. I sing.',
    ],
  ])('of one %s', async (_, current, addition, expected) => {
    expect(await merge(current, addition)).toBe(expected);
  });

  test.each([
    ['I love tea.', 'You love coffee.'],
    ['I am shy.', 'You are not only shy but patient. You are not shy with friends.'],
    ['My favourite colour is blue.', 'Your favourite food is bread.'],
    ['I am a lover of books.', 'You are a teacher.'],
    ['I live in Rome.', 'You work in Rome.'],
    ['I was born in Rome.', 'You live in Paris.'],
    ['My brother is tall.', 'Your sister is tall.'],
    ['I am a software engineer at Acme.', 'I am an optimist.'],
    ['I am a doctor.', 'I am an optimist. I am a Brazilian.'],
    ['I am a doctor.', 'I am a friend of a teacher.'],
    ['I am a doctor.', 'I am a good cook. My job is stressful. I work as hard as I can.'],
    ['I am a software engineer at Acme. I live in Porto.', 'I live in the present.'],
    ['I work as a nurse in Porto. I work for Acme.', 'I work in the garden on Sundays.'],
    ['I work as a nurse in Porto.', 'I work for Acme.'],
    ['I work as a nurse in Porto.', 'I also work as a singer.'],
    ['I live in Porto.', 'I no longer live in Rome.'],
    ['I live in Rome.', 'You lived in Paris as a child.'],
    ['I work at Acme.', 'You worked at Globex as a student.'],
    ['I live in Rome.', 'you live in fear'],
    ['I live in Rome.', 'you live in student housing'],
    ['I am 30 years old.', 'You are 1.80 m tall.'],
    ['I work at Acme.', 'you work at night'],
    ['I am a doctor.', 'My job is demanding.'],
    ['My name is Max.', 'I go by bike to work.'],
    ['I am 30.', 'I am 30% Irish.'],
    ['I am married.', 'I am engaged in politics. I am single-minded.'],
    ['I was born in Rome.', 'I was born in May 1990. I come from Italy.'],
    ['I work as a nurse.', 'I have worked as a waiter and as a cook.'],
    ['I work at Acme.', 'I have worked for Globex.'],
    ['I live in Lisbon.', 'I moved to Product Management in 2022.'],
    ['I live in Lisbon.', 'I moved to the Sales team.'],
    ['I work at Acme.', 'I want to live in Rome and work at Globex.'],
    ['I live in Porto.', 'I dream that I fly and I live in Rome.'],
    ['My name is Pim.', 'I am Portuguese. I am Swiss. I am Happy. I am Catholic. I am Vegan. I am CEO. I am Berliner.'],
    ['I am Portuguese. I am Happy. I am Catholic. I am Head of Sales. I am Deaf.', 'My name is Pim.'],
    ["I am Claude's assistant.", 'My name is Pim.'],
    ['I am a support agent at Quarry Software.', 'I am a student at Oxford.'],
    ['My working hours are 9 to 17 CET.', 'My office hours are 8 to 16 CET.'],
    ['My office hours are 9 to 12 on Mondays.', 'My office hours are 14 to 16 on Fridays.'],
    ['My car is 10 years old.', 'My car is 4 meters long.'],
    ['My rates are 50 euros for logos.', 'My rates are 90 euros for websites.'],
    ['My office hours are 9 to 12.', 'My office hours are 14 to 16, too.'],
    [
      'My name is Dilnoza.',
      'I am Lezgin. I am Uzbek. I am Tatar. I am Boricua. I am Orthodox. I am Admin. I am Freelance.',
    ],
    ['I am called Pim.', 'You are Lezgin.'],
    ['I live with my sister Anna and two big dogs.', 'I live with my sister Maria and two big dogs.'],
  ])('%s and %s stand side by side', async (current, addition) => {
    const merged = await merge(current, addition);
    expect(merged.startsWith(current)).toBe(true);
    expect(merged.length).toBeGreaterThan(current.length + 5);
  });

  test.each([
    [
      'I live in Porto, where I guide tourists, and I always answer politely.',
      'I live in Braga.',
      'I guide tourists, and I always answer politely. I live in Braga.',
    ],
    ['I live in Porto, where I was born, and love tea.', 'I live in Braga.', 'I love tea. I live in Braga.'],
    ['I live in Porto because I surf, and I speak Thai.', 'I live in Braga.', 'I speak Thai. I live in Braga.'],
    ['I live in Porto and I love it.', 'I live in Braga.', 'I live in Braga.'],
    [
      'I live in Porto with my wife and two kids.',
      'I live in Braga.',
      'I live with my wife and two kids. I live in Braga.',
    ],
    ['I am kind, I live in Porto, and I love tea!', 'I live in Braga.', 'I am kind. I love tea! I live in Braga.'],
    ['I moved to Porto in 2019 and love the sea.', 'I live in Braga.', 'I love the sea. I live in Braga.'],
    ['I was born in Rome but live in Porto.', 'I live in Braga.', 'I was born in Rome. I live in Braga.'],
    ['I am 30 years old and married to Anna.', 'I am 31 years old.', 'I am married to Anna. I am 31 years old.'],
    [
      'I am a nurse and interested in art.',
      'I am 31 years old.',
      'I am a nurse and interested in art. I am 31 years old.',
    ],
    ['I am a careful librarian from Ghent.', 'I work as a baker.', 'I am careful. I am from Ghent. I work as a baker.'],
    ['I am a nurse at Acme who loves maps.', 'I work as a baker.', 'I work as a baker.'],
    ['I am a teacher who everyone loves.', 'I work as a baker.', 'I work as a baker.'],
    ['I am an engineer with a company that makes maps.', 'I work as a baker.', 'I work as a baker.'],
    ['I am a translator from Dutch into French.', 'I work as a baker.', 'I work as a baker.'],
    ['I am a translator from Dutch.', 'I work as a baker.', 'I work as a baker.'],
    ['I am a nurse from Monday to Friday.', 'I work as a baker.', 'I work as a baker.'],
    ['I am a translator from Swahili.', 'I work as a baker.', 'I work as a baker.'],
    ['I am a nurse from Monday.', 'I work as a baker.', 'I work as a baker.'],
    ['I am a nurse from New York.', 'I work as a baker.', 'I am from New York. I work as a baker.'],
    ['I am a rather un-organized nurse.', 'I work as a baker.', 'I work as a baker.'],
    ['I am an insufficiently careful nurse.', 'I work as a baker.', 'I work as a baker.'],
    ['I am an anything-but-patient nurse.', 'I work as a baker.', 'I work as a baker.'],
    ['I work as a social worker.', 'I work as a baker.', 'I work as a baker.'],
    ['I am a very patient patient nurse.', 'I work as a baker.', 'I am patient. I work as a baker.'],
    ['I was born in Rome and raised in Porto.', 'I was born in Lyon.', 'I was born in Lyon.'],
    ['I was born in Rome and adopted by Ana.', 'I was born in Lyon.', 'I was born in Lyon.'],
    ['I live in Porto, raised in Rome and loved by all.', 'I live in Braga.', 'I live in Braga.'],
    ['I am 30 years old and loved by all.', 'I am 31 years old.', 'I am 31 years old.'],
    ['I live in Porto, where my sister lives, and love tea.', 'I live in Braga.', 'I love tea. I live in Braga.'],
    ['I live in Porto, where people sing and dance all day.', 'I live in Braga.', 'I live in Braga.'],
    ['My parents live in Rome and love tea.', 'I hate tea.', 'My parents live in Rome and love tea. I hate tea.'],
    [
      'I answer politely, and I live in Porto unless it rains.',
      'I live in Braga.',
      'I answer politely. I live in Braga.',
    ],
    ['I am a nurse for people from Ghent.', 'I work as a baker.', 'I work as a baker.'],
    [
      'I work as a pilot for Finnair and speak six languages.',
      'I work as a teacher.',
      'I speak six languages. I work as a teacher.',
    ],
    ['I work as a nurse for music and dance in Rome.', 'I work as a baker.', 'I work as a baker.'],
    [
      'My favourite food is pizza and my favourite drink is mate.',
      'My favourite food is sushi.',
      'My favourite drink is mate. My favourite food is sushi.',
    ],
    ['You are Pim, a household assistant.', 'Your name is Pom.', 'I am a household assistant. My name is Pom.'],
    ['You are Pim, a household assistant.', 'You are Pom.', 'I am a household assistant. I am Pom.'],
    ['My name is Max and I live in Porto.', 'My name is Mia.', 'I live in Porto. My name is Mia.'],
    ['I live in Porto.', 'I am kind and I live in Braga.', 'I am kind and I live in Braga.'],
  ])('clause by clause: %s %s', async (current, addition, expected) => {
    expect(await merge(current, addition)).toBe(expected);
  });

  test('within one addition, the later sentence counts', async () => {
    expect(await merge('', 'You live in Rome. You like bread. You live in Paris.')).toBe(
      'I like bread. I live in Paris.',
    );
  });

  test.each([
    'My name is Dilnoza. I am Lezgin.',
    'I am Lezgin. My name is Dilnoza.',
    'My name is Pim. I am Ava.',
    'My car is 10 years old. My car is 4 meters long.',
    'My rates are 50 euros for logos. My rates are 90 euros for websites.',
    'My office hours are 9 to 12. My office hours are 14 to 16.',
  ])('within one addition, %s stays', async (text) => {
    expect(await merge('', text)).toBe(text);
  });
});

test('nothing is said twice', async () => {
  const current = 'I am kind. I have two cats.';
  expect(await merge(current, 'You have two cats! You are kind.')).toBe(current);
  expect(await merge(current, current)).toBe(current);
});

test('a very long sentence stays as it is, whatever is added', async () => {
  const people = Array.from({ length: 120 }, (_, index) => `Person${index} Family${index} (team 0, office ${index})`);
  const long = `I know these people, with whom I work: ${people.join(', ')}.`;
  expect(await merge(long, 'I like tea.')).toBe(`${long} I like tea.`);
  expect(await merge('', 'b'.repeat(3_000))).toHaveLength(3_001);
});

test('an old background in the second person is rewritten, too', async () => {
  expect(await merge('You are kind.', 'You have two cats.')).toBe('I am kind. I have two cats.');
});

test.each([
  ['', '', ''],
  ['I am kind.', '  \n', 'I am kind.'],
  ['', 'half \ud800', 'half \ufffd.'],
  ['', '好奇的图书管理员。', '好奇的图书管理员。'],
])('%j and %j', async (current, addition, expected) => {
  expect(await merge(current, addition)).toBe(expected);
});

describe('traits', () => {
  const middle = { openness: 0.5, conscientiousness: 0.5, extraversion: 0.5, agreeableness: 0.5, neuroticism: 0.5 };

  test.each([
    ['', {}],
    ['I live in Rome.', {}],
    ['I am curious.', { openness: 0.65 }],
    ['I am curious, imaginative, creative and inventive.', { openness: 0.95 }],
    ['I am shy and quiet.', { extraversion: 0.2 }],
    ['I am not shy.', { extraversion: 0.65 }],
    ["I wasn't ever careless.", { conscientiousness: 0.65 }],
    ['I am kind. I am rude.', {}],
    [
      'I am well organised, never nervous, and friendly.',
      { conscientiousness: 0.65, neuroticism: 0.35, agreeableness: 0.65 },
    ],
  ])('%s', async (text, traits) => {
    expect(await background.inferTraits(text)).toEqual({ ...middle, ...traits });
  });
});
/** The longest background that is kept, in characters. */
const longest = 64 * 1_024;
/** Usually 150 at most; what takes quadratic time takes many seconds. */
const longestStallMs = 600;
const filled = (unit: string) => unit.repeat(longest / unit.length + 1).slice(0, longest);

it.each([
  ['a favourite of one word', `My favorite ${'a'.repeat(960)}`],
  ['favourites', filled(`My favorite ${'a b '.repeat(60)}. `)],
  ['short lines', Array.from({ length: 4_000 }, (_, index) => `I like ${index}`).join('\n')],
  ['lines that share a word', Array.from({ length: 4_000 }, (_, index) => `My tea ${index} is tea.`).join('\n')],
  ['lines that share all words but one', filled('I like tea and cake and books and bread and x. ')],
  ['one-letter sentences', filled('a. ')],
  ['wide one-letter sentences', filled('б. ')],
  ['you', filled('you ')],
  ['to you', filled('to you ')],
  ['adverbs', filled('The agent always often never ')],
])('two backgrounds are merged in a moment: %s', async (_, text) => {
  const merge = () => background.merge({ current: text, addition: text });
  expect(await longestStallOf(merge, longestStallMs)).toBeLessThan(longestStallMs);
});
