const speakerPrefix = /^(\p{Lu}[\p{L}\p{M}\p{N}.'’ -]{0,40}): /u;
const trailingNote = /\s*(\[[^\]]*\]|\([^)]*\))\s*$/u;
const months = 'January|February|March|April|May|June|July|August|September|October|November|December';
const dateNote = new RegExp(
  `\\((?:[^()]*\\b(?:${months}|spring|summer|autumn|winter)\\b[^()]*|(?:1[89]|20)\\d\\d)\\)`,
  'u',
);

/** Who says it in a text of the form `Name: what was said`; undefined in any other text. */
export function speakerOf(text: string): string | undefined {
  return speakerPrefix.exec(text)?.[1];
}

/** Whether it ends with a question; notes in brackets behind it do not count. */
export function endsWithQuestion(text: string): boolean {
  let rest = text.trimEnd();
  while (trailingNote.test(rest)) rest = rest.replace(trailingNote, '');
  return /[?？]$/u.test(rest);
}

/** Whether anything in it is a question. */
export function hasQuestion(text: string): boolean {
  return /[?？]/u.test(text);
}

/** Whether it holds a date that was worked out when it was stored, such as `yesterday (7 May 2023)`. */
export function hasDate(text: string): boolean {
  return dateNote.test(text);
}
