import { describe, expect, test } from 'vitest';
import { nounMentions } from './statements/person-nouns.ts';

function nounsIn(text: string, names?: readonly string[]): string[] {
  return nounMentions(text, names).map(({ noun }) => noun);
}

describe('a person without a name is mentioned', () => {
  test.each([
    ['I told my dad about the burglar.', ['dad', 'burglar']],
    ['My brother hired an electrician yesterday.', ['brother', 'electrician']],
    ['We met the new CEO and a local judge.', ['ceo', 'judge']],
    ['He saw a policeman, a German tourist and the waitress.', ['policeman', 'tourist', 'waitress']],
    ["I know Tom's boss and my sister’s new tutor.", ['boss', 'tutor']],
    ["My parents' lawyer called.", ['lawyer']],
    ['My ex-husband and his step-sister called.', ['ex-husband', 'step-sister']],
    ['My dog walker is ill.', ['walker']],
    ['There was a burglar, and it was the babysitter.', ['burglar', 'babysitter']],
    ['I like my boss as well as the mechanic I hired.', ['boss', 'mechanic']],
    ['When I called the plumber, Tom was there.', ['plumber']],
    ['Tom is older than my boss.', ['boss']],
    ['We saw mom and stepped on grandma.', ['mom', 'grandma']],
  ])('%s', (text, expected) => {
    expect(nounsIn(text)).toEqual(expected);
  });
});

describe('no second person is mentioned', () => {
  test.each([
    'Tom bought a computer, a printer and another monitor at the center.',
    'She had dinner in an elegant restaurant near the river last winter.',
    'He rents an apartment with a garden, a better kitchen and a different door.',
    'The document is in the other folder, and her paper is on the floor.',
    'Tom is a very good software engineer and a father of two.',
    'Maria works as an independent contractor and looks like a teacher.',
    "Tom's a nurse, and Anna became the first mayor.",
    'They judge, cook, guide and guard us.',
    'My friend Anna and my brother, Tom Baker, are here.',
    "I drove the mechanic's car.",
  ])('%s', (text) => {
    expect(nounsIn(text)).toEqual([]);
  });

  test.each([
    ['Tom, a carpenter, built it.', ['Tom'], []],
    ['I met Tom, a carpenter.', ['Tom'], []],
    ['My mother, a nurse, works at night.', [], ['mother']],
    ['Tom, a carpenter, and Anna built it.', ['Tom'], ['carpenter']],
    ['After I met Tom, a carpenter came.', ['Tom'], ['carpenter']],
    ['Suddenly, a burglar came.', ['Tom'], ['burglar']],
  ])('by an apposition: %s', (text, names, expected) => {
    expect(nounsIn(text, names)).toEqual(expected);
  });
});

test('what only ends like a person is not called "my ..." later', () => {
  const [plumber, trimmer, boss] = nounMentions('My plumber has my hedge trimmer, and my former boss has it too.');
  expect(plumber).toEqual({ noun: 'plumber', gender: undefined, isSpeakers: true });
  expect(trimmer?.isSpeakers).not.toBe(true);
  expect(boss?.isSpeakers).not.toBe(true);
});

test('a word for a man or a woman has a gender', () => {
  const genders = nounMentions('My late husband met a policewoman, a fisherman and the ex-wife of the judge.');
  expect(genders.map(({ gender }) => gender)).toEqual(['male', 'female', 'male', 'female', undefined]);
});
