import type { LexicalEncoder } from '@mneme/models';

/** What a search wants to know of the question. */
export interface Question {
  readonly text: string;
  /** The ids of its words that are worth comparing, and how often it has each. */
  readonly terms: readonly { readonly id: number; readonly count: number }[];
  readonly asksWhen: boolean;
}

const whenQuestion =
  /^\W*(when|since when|until when|how long ago|(on |in |at )?(what|which) (date|day|month|season|time|year)s?)\b/i;

export function analyseQuestion(text: string, lexical: LexicalEncoder): Question {
  const { indices, values } = lexical.query(text);
  const terms = indices.map((id, index) => ({ id, count: values[index] ?? 0 }));
  return { text, terms, asksWhen: whenQuestion.test(text) };
}

/** Whether the question names the person, as a word of its own. */
export function names(question: Question, person: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(person)}(?![\\p{L}\\p{N}])`, 'iu').test(question.text);
}
