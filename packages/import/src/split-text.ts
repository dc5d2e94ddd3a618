/**
 * Splits a text where it reads best: between paragraphs, else lines, sentences or words. The same text always gives the
 * same parts.
 *
 * @param maxLength of a part, in UTF-16 code units, at least 2
 * @returns the parts without white space around them; none for a blank text
 */
export function splitText(text: string, maxLength: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > maxLength) {
    const end = endOfPart(rest.slice(0, maxLength));
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? parts : [...parts, rest];
}

/** A part is at least half as long as it may be, unless there is no such place. */
function endOfPart(text: string): number {
  for (const separator of ['\n\n', '\n', '. ', ' ']) {
    const at = text.lastIndexOf(separator);
    if (at >= text.length / 2) return at + separator.length;
  }
  const isPairCut = /[\uD800-\uDBFF]$/.test(text);
  return isPairCut ? text.length - 1 : text.length;
}
