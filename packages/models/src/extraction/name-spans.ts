/** A run of words written like a name. */
export interface NameSpan {
  readonly name: string;
  /** The capital of its first word may be only that of a sentence's start. */
  readonly isInitial: boolean;
  /** Up to 30 characters in front of it, on the same line. */
  readonly before: string;
}

const inner = String.raw`[\p{L}\p{M}\p{N}]`;
const capitalised = String.raw`(?:\p{Lu}|\p{Ll}{1,2}\p{Lu}(?=\p{Ll}))${inner}{0,40}(?:['’.&+-](?=${inner})${inner}{1,40}){0,4}\+{0,2}`;
const initials = String.raw`(?:\p{Lu}\.){1,3}(?= ?\p{Lu})`;
const word = `(?:${initials}|${capitalised})`;
const title = String.raw`(?:(?:Mr|Mrs|Ms|Dr|Prof|St|Mt)\. )?`;
const link = '(?:(?:of|de|del|la|di|da|van|von|der|du|&|the) ){0,2}';
const number = String.raw`(?: \d{1,4}[A-Za-z]?(?![\p{L}\p{N}]|[.:,/-]\d|['’%]))?`;
const span = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}_@#/'’])${title}${word}(?:(?: |(?<=\.))${link}${word}){0,5}${number}`,
  'gu',
);
const sentenceStart = /(?:^|[.!?:\n…•*>|–—\-"“”«([])[\s"“'‘«([*_]*$/;

/** Everything in a text that is written like a name, in order. */
export function nameSpans(text: string): NameSpan[] {
  return [...text.matchAll(span)].map((match) => {
    const before = text.slice(Math.max(0, match.index - 30), match.index);
    return { name: match[0], isInitial: sentenceStart.test(before), before };
  });
}
