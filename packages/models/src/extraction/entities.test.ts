import { describe, expect, test } from 'vitest';
import { createRuleExtractor } from './rule-extractor.ts';

const extractor = createRuleExtractor();

async function entitiesOf(content: string): Promise<string> {
  const [fact] = await extractor.extract({ content, eventDate: '2023-05-08T13:56:00Z', context: null });
  return (fact?.entities ?? []).map(({ name, type }) => `${name} (${type})`).join(', ');
}

describe('the entities of a fact', () => {
  test.each([
    ['Caroline: I met Melanie in Paris.', 'Caroline (PERSON), Melanie (PERSON), Paris (PLACE)'],
    ['We met in Room 101, not in Room 102.', 'Room 101 (PLACE), Room 102 (PLACE)'],
    ['Room 101 is free.', 'Room 101 (PLACE)'],
    ['Angela Merkel spoke in Berlin.', 'Angela Merkel (PERSON), Berlin (PLACE)'],
    ['She works at Initech.', 'Initech (ORG)'],
    ['He moved to Nuuk.', 'Nuuk (PLACE)'],
    ['I saw my friend Zorblax.', 'Zorblax (PERSON)'],
    ['He studied at the University of Oxford.', 'University of Oxford (ORG)'],
    ['She joined Foobar Inc and left Bar University.', 'Foobar Inc (ORG), Bar University (ORG)'],
    ['We saw Dr. Smith and J.K. Rowling.', 'Dr. Smith (PERSON), J.K. Rowling (PERSON)'],
    [
      'Last week we met A.M. Homes, T.V. Raman and Anna Smith Ph.D. in person.',
      'A.M. Homes (OTHER), T.V. Raman (OTHER), Anna Smith (PERSON)',
    ],
    ['He lived in the U.S. with J.R.R. Tolkien.', 'U.S. (PLACE), J.R.R. Tolkien (PERSON)'],
    ['We met in Washington D.C. yesterday.', 'Washington D.C. (PLACE)'],
    ['I met Prof. Dr. Anke Vries and Prof. Dr. Uwe Maas.', 'Dr. Anke Vries (PERSON), Dr. Uwe Maas (PERSON)'],
    ['Gen. Grant met Rev. Green and Lt. Dan.', 'Grant (PERSON), Green (PERSON), Dan (PERSON)'],
    ['We met Capt. Jack Sparrow in Rome.', 'Jack Sparrow (PERSON), Rome (PLACE)'],
    ['Sen. Warren knows Gen. Dr. Washington.', 'Warren (PERSON), Dr. Washington (PERSON)'],
    ['Gen. John Smith: I agree with you.', 'John Smith (PERSON)'],
    ['Dr. Ana Lima: I agree with you.', 'Dr. Ana Lima (PERSON)'],
    ['J.R. Smith: I agree with you.', 'J.R. Smith (PERSON)'],
    ['St. John: I agree with you.', 'St. John (PERSON)'],
    ['Speaker 1: I agree with you.', 'Speaker 1 (PERSON)'],
    ['Kaveh92: I agree with you.', 'Kaveh92 (PERSON)'],
    ['Ticket 77. Harriet Boyle: the printer jams.', 'Harriet Boyle (PERSON)'],
    ['Neuro L2. Synapse: calcium triggers release.', ''],
    ['Bed 5: the drip is changed every day.', 'Bed 5 (OTHER)'],
    ['Option A: we fly to Rome. Option B: we take the train.', 'Rome (PLACE)'],
    ['She works at J. P. Morgan.', 'J. P. Morgan (ORG)'],
    ['I read J. K. Rowling and A. B. Yehoshua.', 'J. K. Rowling (PERSON), A. B. Yehoshua (PERSON)'],
    ['T. S. Eliot knew George R. R. Martin.', 'T. S. Eliot (PERSON), George R. R. Martin (PERSON)'],
    ['I got an A. Anna got nothing.', 'Anna (PERSON)'],
    ['Attendees: Chidi Okafor, Ana Lima', 'Chidi Okafor (PERSON), Ana Lima (PERSON)'],
    [
      'Present: Priya Raman (chair), Kwame Mensah and Yuki Sato',
      'Priya Raman (PERSON), Kwame Mensah (PERSON), Yuki Sato (PERSON)',
    ],
    ['**Apologies:** Wei Zhang, Oluwaseun Adeyemi', 'Wei Zhang (PERSON), Oluwaseun Adeyemi (PERSON)'],
    ['Policy Holder: Solveig Aas', 'Solveig Aas (PERSON)'],
    ['Full Name: Rashid Karimi', 'Rashid Karimi (PERSON)'],
    ['Present: Acme Corp, Bank of America', 'Acme Corp (ORG), Bank of America (ORG)'],
    ['Guests: Two Adults, One Child', ''],
    ['File Name: Report Final', ''],
    ['Absent: Nobody', ''],
    [
      'Tomás Ferreira met Théo.'.normalize('NFD'),
      `${'Tomás Ferreira'.normalize('NFD')} (PERSON), ${'Théo'.normalize('NFD')} (PERSON)`,
    ],
    ['Owners: Deutsche Bank, Acme Holding', 'Deutsche Bank (ORG)'],
    ['I bought an iPhone 14 and a PlayStation.', 'iPhone 14 (PRODUCT), PlayStation (PRODUCT)'],
    ['Anna owes Ben 500 dollars.', 'Anna (PERSON), Ben (PERSON)'],
    ['I gave Ben 5 thousand and Maria Silva 20 euros.', 'Ben (PERSON), Maria Silva (PERSON)'],
    ['The bank gave Acme 3 million.', 'Acme (ORG)'],
    ['I drive a Model 3 and met in Room 2019 yesterday.', 'Model 3 (OTHER), Room 2019 (PLACE)'],
    ['I slept at Motel 6 twice and saw the Boeing 747 pilots.', 'Motel 6 (ORG), Boeing 747 (PRODUCT)'],
    ['Microsoft and Google talk.', 'Microsoft (ORG), Google (ORG)'],
    ["London's bridges, London’s towers", 'London (PLACE)'],
    ['The Grand Canyon and Lake Tahoe are far.', 'Grand Canyon (PLACE), Lake Tahoe (PLACE)'],
    ['She writes Python and likes Christmas.', 'Python (CONCEPT), Christmas (CONCEPT)'],
    ['We read Charlotte’s Web aloud.', 'Charlotte’s Web (OTHER)'],
    ['We adopted Biscuit.', 'Biscuit (OTHER)'],
    ['Visit the Louvre', 'Louvre (OTHER)'],
    ['# Mneme\n\nMneme is a memory.', 'Mneme (OTHER)'],
    ['# Grafana\n\nWe use it for charts.', 'Grafana (OTHER)'],
    ['- [x] Nextcloud update', 'Nextcloud (OTHER)'],
    ['## Grafana dashboards of Acme', 'Acme (ORG)'],
    ['I met Anna Schmidt TICKET_12 today.', 'Anna Schmidt (PERSON)'],
    ['See Anna_Meier.pdf', 'Anna (PERSON)'],
    ['We live in GB.', 'GB (PLACE)'],
    ['¿Dónde está Anna?', 'Anna (PERSON)'],
    ['NASA is big in the US.', 'NASA (ORG), US (PLACE)'],
    ['Hey Anna, thanks!', 'Anna (PERSON)'],
    ['User: I met Anna.', 'Anna (PERSON)'],
    ['Euro 2020 took place late; in Euro 2024 Finland lost.', 'Euro 2024 (OTHER), Finland (PLACE)'],
    [
      'The European Union and Ursula von der Leyen, President of the Commission',
      'European Union (ORG), Ursula von der Leyen (OTHER), President of the Commission (OTHER)',
    ],
    ['Der Hund und die Katze sind nicht im Haus in Berlin.', 'Berlin (PLACE)'],
    ['Müller war in Zürich bei Ørsted.', 'Zürich (PLACE), Ørsted (OTHER)'],
  ])('%s → %s', async (content, expected) => {
    expect(await entitiesOf(content)).toBe(expected);
  });

  test.each([
    ['I think he gave it to her, and They know Me.'],
    ['On Monday in May we rest, and on Friday in March too.'],
    ['Great! Wow, thanks. Painting helps. However, it rains.'],
    ['Will you mark the page? Mark the page! Bill me.'],
    ['Rose bushes grow. Hope is good. May I?'],
    ['I LOVE THIS SO MUCH! It is AMAZING, LOL'],
    ['Note: the door is open.'],
    ['Team: we meet at 5.'],
    ['Present: I am here.'],
    ['Q: Where is the key?'],
    ['Subject: Annual Report'],
    ['Authors: Ana Lima & Ben Ito'],
    ['Speakers: Bose SoundLink'],
    ['I asked the Prof. and the Lt. about it, not the Rev. or a Capt.'],
    ['¡Gracias!'],
    ['Mom and Dad are here, BTW.'],
    ['She finished her Ph.D. at home; Ph.D students know the C.E.O. and watch T.V.'],
    ['我在北京'],
    ['no capitals at all'],
    ['I like Italian food and the German language.'],
    ['## Next steps'],
    ['# Weekly sync'],
    ['## Status of the project'],
    ['### Key Points to Consider'],
    ['Data Science is great.'],
    ['Ice Cream is great.'],
    ['Movie Night was fun.'],
    ['Idris Falk, please'],
    ['The disk has 2 GB and 500MB.'],
    ['It fails with AUTH_409 in User.query.filter_by.'],
    ["I'm, I'd, I'll and I've"],
  ])('%s → none', async (content) => {
    expect(await entitiesOf(content)).toBe('');
  });

  test('a name within a sentence is recognised at the start of a later one', async () => {
    expect(await entitiesOf('We have a dog, Biscuit. Biscuit barks.')).toBe('Biscuit (OTHER)');
    expect(await entitiesOf('Biscuit barks.')).toBe('');
  });

  test('a heading in capital letters has known names only', async () => {
    expect(await entitiesOf('How To Grow Tomatoes And Peppers In Berlin')).toBe('Berlin (PLACE)');
  });
});
