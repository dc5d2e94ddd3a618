/** A part of a text, and whether the question has that word. */
interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** How many letters at the end of two words may differ, as in `moved` and `moving`. */
const maxEnding = 3;
const minStem = 3;
/** Words of any question. */
const weakWords = new Set(
  'a an and are as at be but by did do does for from had has have he her his how i in is it its me my of on or our she that the their them they this to was we were what when where which who whose why will with you your'.split(
    ' ',
  ),
);

const wordPattern = /[\p{L}\p{N}]+/gu;

/** The text with the words of the question in it, compared by their beginnings, as the stems of the server nearly are. */
function partsOf(text: string, question: string): TextPart[] {
  const wanted = wordsOf(question);
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    if (!wanted.some((each) => isSameWord(plain(word), each))) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isMatch: false });
    parts.push({ text: word, isMatch: true });
    end = index + word.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}

function wordsOf(question: string): string[] {
  const words = [...question.matchAll(wordPattern)].map(([word]) => plain(word));
  return words.filter((word) => !weakWords.has(word));
}

function isSameWord(left: string, right: string): boolean {
  if (left === right) return true;
  const shorter = Math.min(left.length, right.length);
  const stem = Math.max(minStem, shorter - 2);
  const isNear = Math.max(left.length, right.length) - stem <= maxEnding;
  return shorter > minStem && isNear && left.slice(0, stem) === right.slice(0, stem);
}

function plain(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** @param isMarked whether words of the question are shown as such */
export function MarkedText({ text, question, isMarked }: { text: string; question: string; isMarked: boolean }) {
  if (!isMarked) return text;
  let start = 0;
  return partsOf(text, question).map((part) => {
    const key = start;
    start += part.text.length;
    return part.isMatch ? <mark key={key}>{part.text}</mark> : <span key={key}>{part.text}</span>;
  });
}
