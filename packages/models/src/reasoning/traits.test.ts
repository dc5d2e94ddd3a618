import { describe, expect, test } from 'vitest';
import { traitNames } from '../reasoning-ports.ts';
import { readTraits } from './traits.ts';

/** The traits that a background moves: `O+ N-` for a higher openness and a lower neuroticism; empty for none. */
function movesOf(background: string): string {
  const traits = readTraits(background);
  return traitNames
    .filter((name) => traits[name] !== 0.5)
    .map((name) => `${name.charAt(0).toUpperCase()}${traits[name] > 0.5 ? '+' : '-'}`)
    .join(' ');
}

describe('what the agent says about itself moves its traits', () => {
  test.each([
    ['I am a startup founder who thrives on risk and social interaction.', 'O+ E+'],
    ['I am a curious travel guide from Porto.', 'O+'],
    ['I am a careful librarian.', 'C+'],
    ["I'm messy, impulsive and always late.", 'C-'],
    ['I love parties and meeting new people.', 'E+'],
    ['I prefer to be alone.', 'E-'],
    ['I hate crowds.', 'E-'],
    ['I worry a lot.', 'N+'],
    ['I thrive under pressure.', 'N-'],
    ['I enjoy helping others.', 'A+'],
    ['I seek conflict and love winning.', 'A-'],
    ['I avoid risks and stick to what I know.', 'O-'],
    ['I love routine and order.', 'O- C+'],
    ['My personality is warm and outgoing.', 'E+ A+'],
    ['Curious, calm and very patient.', 'O+ A+ N-'],
    ['I am open to new ideas.', 'O+'],
    ['I often procrastinate.', 'C-'],
    ['I am patient with children, but blunt and stubborn.', 'A-'],
    ['I am not only creative but also organised.', 'O+ C+'],
    ['I have always been generous, and I consider myself an optimist.', 'A+ N-'],
    ['I live in Rome. I get nervous before exams.', 'N+'],
  ])('%s', (background, moves) => {
    expect(movesOf(background)).toBe(moves);
  });
});

describe('other uses of these words do not', () => {
  test.each([
    ['negated', 'I do not enjoy parties.', 'E-'],
    ['negated', 'I am never careless.', 'C+'],
    ['negated', 'I am no longer shy.', 'E+'],
    ['negated', 'I do not avoid risk.', 'O+'],
    ['negated', "I don't worry.", 'N-'],
    ['of others', 'My sister is neurotic.', ''],
    ['of others', 'I live with my brother, who is lazy and rude.', ''],
    ['of others', 'I am a nurse for anxious children.', ''],
    ['of others', 'I am calm, but my boss is aggressive.', 'N-'],
    ['of others', 'Anna loves parties and hates routine.', ''],
    ['by others', 'My boss said: "I am lazy and careless."', ''],
    ['by others', 'My mother says I am selfish.', ''],
    ['of things', 'I open the door for visitors.', ''],
    ['of things', 'I sell quiet engines and warm clothes.', ''],
    ['of things', 'I order parts for calm seas.', ''],
    ['in another sense', 'I am kind of tired.', ''],
    ['in another sense', 'I like social media.', ''],
    ['in another sense', 'I treat every patient myself.', ''],
    ['of others', 'I avoid rude people.', ''],
    ['of things', 'I like to order pizza from my company.', ''],
    ['in another sense', 'I am responsible for the budget.', ''],
    ['supposed', 'If I were careless, I would lose my job.', ''],
    ['asked', 'Am I anxious?', ''],
  ])('%s: %s', (_how, background, moves) => {
    expect(movesOf(background)).toBe(moves);
  });
});

test('a long background is read to its end', () => {
  expect(movesOf(`${'I live in Rome. '.repeat(4_000)}I am kind.`)).toBe('A+');
  expect(movesOf(`I am ${'not '.repeat(16_000)}kind.`)).toBe('A-');
});
