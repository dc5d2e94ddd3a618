import { describe, expect, it } from 'vitest';
import { judge, properties } from './judge.ts';
import { measurePasted } from './measure-pasted.ts';
import { count } from './pasted-report.ts';
import { type PastedText, readPastedCorpus } from './pasted-texts.ts';
import { createRuleReader, readNaively } from './readers.ts';
import { createSpeakerFinder } from './speaker-of-statement.ts';

const storedAt = '2026-12-01T09:00:00Z';

/** How many were right when this was last changed. Raise them with a repair; lower one only if the data were wrong. */
const least = { found: 151, speaker: 125, date: 50, kind: 149, 'nothing forbidden': 103 };

describe('the texts', () => {
  it('has about as many of both halves, and some of each kind', async () => {
    const { texts } = await readPastedCorpus();
    const kindsOf = (part: string) => new Set(texts.filter((text) => text.part === part).map(({ kind }) => kind));
    expect(kindsOf('seen')).toEqual(kindsOf('kept-aside'));
    const seen = texts.filter(({ part }) => part === 'seen').length;
    expect(Math.abs(2 * seen - texts.length)).toBeLessThanOrEqual(1);
  });

  it('are read no worse than before', async () => {
    const corpus = await readPastedCorpus();
    const texts = corpus.texts.filter(({ part }) => part === 'seen');
    const findings = await measurePasted({ ...corpus, texts }, createRuleReader());
    const right = properties.map((property) => [
      property,
      count(findings.filter((finding) => finding.property === property)).right,
    ]);
    for (const [property, counted] of right)
      expect
        .soft(counted, `${property}: npm run bench -- pasted --failures`)
        .toBeGreaterThanOrEqual(least[property as keyof typeof least]);
  });
});

describe('who says a statement of a fact', () => {
  it.each([
    ['13/11/2026, 19:02 - Ana: I left', 'Ana'],
    ['[11/13/26, 7:12:00 PM] Ana 🌸: I left', 'Ana'],
    ['Ana: I left', 'Ana'],
    ['Ana  9:14 AM\nI left', 'Ana'],
    ['Ana, [13.11.26 09:14]\nI left', 'Ana'],
    ['<@Ana> I left', 'Ana'],
    ['On Mon, Nov 16, 2026 at 11:20 AM Ana <a@b.example> wrote:\n\n> I left', 'Ana'],
    ['Ana: Where is she?\nBo Li: I left', 'Bo Li'],
    ['I left', null],
    ['Dear Ana,\nI left', null],
    ['Ana has a cat. I left', null],
    ['Total: I left', 'Total'],
  ])('is %j: %s', (fact, speaker) => {
    const text = aText(['Total: 5. Please pay.', 'I left'], [{ says: 'I left', speaker: 'Ana' }]);
    const statements = [...text.statements, { says: 'unused', speaker: 'Bo Li' }];
    expect(createSpeakerFinder({ ...text, statements }).speakerOf(fact, 'I left')).toBe(speaker);
  });

  it('is nobody where words before a colon stay with what they stand before', () => {
    const text = aText(['Total: 5. Please pay.'], [{ says: '5', speaker: null }]);
    const finder = createSpeakerFinder(text);
    expect([finder.isSpread('Total: 5.', 'Total'), finder.isSpread('Total: Please pay.', 'Total')]).toEqual([
      false,
      true,
    ]);
  });
});

describe('what is right', () => {
  const text = aText(
    ['Ana: I sold the boat', 'VAT ID: 5'],
    [{ says: 'I sold the boat', speaker: 'Ana', date: '2026-11-13', kind: 'world' }],
    ['VAT ID'],
  );
  const fact = { text: 'Ana: I sold the boat', kind: 'world' as const, date: '2026-11-13T12:00:00.000Z' };
  const wrongOf = (...facts: Parameters<typeof judge>[1]) =>
    judge(text, facts)
      .filter(({ isRight }) => !isRight)
      .map(({ property }) => property);

  it('is all that is as the text says', () => {
    expect(wrongOf({ ...fact, speakerOf: () => 'Ana', hasSpeaker: () => false })).toEqual([]);
  });

  it('is not another speaker, day or kind, and no word that is nobody', () => {
    const other = { ...fact, date: undefined, kind: 'opinion' as const };
    expect(wrongOf({ ...other, speakerOf: () => null, hasSpeaker: (word) => word === 'VAT ID' })).toEqual([
      'speaker',
      'date',
      'kind',
      'nothing forbidden',
    ]);
  });

  it('is nothing of a statement that is in no fact', () => {
    expect(wrongOf()).toEqual(['found', 'speaker', 'date', 'kind']);
  });
});

describe('the naive reader', () => {
  it('takes what stands before the first colon of a line for its speaker', async () => {
    const facts = await readNaively(aText(['Ana: at 10:30', 'I think so'], [{ says: 'at' }]), storedAt);
    expect(facts.map((fact) => [fact.speakerOf(''), fact.kind])).toEqual([
      ['Ana', 'world'],
      [null, 'opinion'],
    ]);
  });
});

function aText(lines: string[], statements: PastedText['statements'], speakers: string[] = []): PastedText {
  return { name: 'test', kind: 'test', part: 'seen', lines, statements, not: { speakers, opinions: [] } };
}
