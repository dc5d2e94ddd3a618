import { flat, type PastedStatement, type PastedText } from './pasted-texts.ts';
import type { ReadFact } from './readers.ts';

export const properties = ['found', 'speaker', 'date', 'kind', 'nothing forbidden'] as const;
export type Property = (typeof properties)[number];

/** One thing that is known about a text, and whether a reader has it right. */
export interface Finding {
  readonly text: PastedText;
  readonly property: Property;
  readonly isRight: boolean;
  /** What was expected and what was read, for a person. */
  readonly about: string;
}

/** Compares what a reader made of a text with what is known about it. A statement in no fact has nothing right. */
export function judge(text: PastedText, facts: readonly ReadFact[]): readonly Finding[] {
  const findings = [
    ...text.statements.flatMap((statement) => judgeStatement(statement, facts)),
    ...text.not.speakers.map((word) => judgeSpeaker(word, facts)),
    ...text.not.opinions.map((says) => judgeOpinion(says, facts)),
  ];
  return findings.map((finding) => ({ text, ...finding }));
}

type Judged = Omit<Finding, 'text'>;

function judgeStatement({ says, speaker, date, kind }: PastedStatement, facts: readonly ReadFact[]): Judged[] {
  const having = facts.filter(({ text }) => flat(text).includes(says));
  const compare = (property: Property, expected: string | null | undefined, read: (fact: ReadFact) => unknown) => {
    if (expected === undefined) return [];
    const values = having.map(read);
    const isRight = values.length > 0 && values.every((value) => value === expected);
    return [
      { property, isRight, about: `"${says}": ${expected ?? 'nobody'}, read ${values.join(' and ') || 'nobody'}` },
    ];
  };
  return [
    { property: 'found', isRight: having.length > 0, about: `"${says}"` },
    ...compare('speaker', speaker, (fact) => fact.speakerOf(says)),
    ...compare('date', date, (fact) => fact.date?.slice(0, 10)),
    ...compare('kind', kind, (fact) => fact.kind),
  ];
}

function judgeSpeaker(word: string, facts: readonly ReadFact[]): Judged {
  const wrong = facts.find((fact) => fact.hasSpeaker(word));
  return { property: 'nothing forbidden', isRight: !wrong, about: `"${word}" is no speaker: ${wrong?.text}` };
}

function judgeOpinion(says: string, facts: readonly ReadFact[]): Judged {
  const isOpinion = facts.some(({ text, kind }) => kind === 'opinion' && flat(text).includes(says));
  return { property: 'nothing forbidden', isRight: !isOpinion, about: `"${says}" is no opinion of the agent` };
}
