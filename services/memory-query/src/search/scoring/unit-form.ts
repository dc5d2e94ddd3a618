const months = 'January|February|March|April|May|June|July|August|September|October|November|December';
const note = /\([^()]*\)/g;
const dateInNote = new RegExp(`\\b(?:${months}|spring|summer|autumn|winter)\\b|^\\((?:1[89]|20)\\d\\d\\)$`, 'u');

/** Whether it ends with a question; ignores notes in brackets at the end. */
export function endsWithQuestion(text: string): boolean {
  let rest = text.trimEnd();
  for (let start = startOfNote(rest); start >= 0; start = startOfNote(rest)) rest = rest.slice(0, start).trimEnd();
  return /[?？]$/u.test(rest);
}

/** Whether it contains a date that was resolved when it was stored, such as `yesterday (7 May 2023)`. */
export function hasDate(text: string): boolean {
  return [...text.matchAll(note)].some(([each]) => dateInNote.test(each));
}

const opening: Readonly<Record<string, string>> = { ')': '(', ']': '[' };

/** The start of the note in brackets at the end of a text; -1 if it has none. */
function startOfNote(text: string): number {
  const close = text.at(-1) ?? '';
  const open = opening[close];
  if (open === undefined) return -1;
  return text.indexOf(open, text.lastIndexOf(close, text.length - 2) + 1);
}
