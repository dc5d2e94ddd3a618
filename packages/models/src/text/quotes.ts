const closing: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['«', '»'],
]);
const closingMarks = new Set(closing.values());

/**
 * Replaces quotations, including the marks: from an opening mark to the next one that closes it, or to any closing mark if
 * none does before the same mark opens another one. Linear time: each character is read at most once for each kind of mark, and once more.
 *
 * @param limits a longer text than `longest` characters is not a quotation; nor is one of several lines unless `overLines`
 */
export function replaceQuotes(
  text: string,
  { longest, overLines }: { readonly longest: number; readonly overLines: boolean },
  replace: (quote: string) => string,
): string {
  let result = '';
  let copied = 0;
  const nextOf = createSearch(text);
  for (const { 0: open, index } of text.matchAll(/["“«]/g)) {
    if (index < copied) continue;
    const own = nextOf(closing.get(open) ?? open, index + 1);
    const isOwn = own < text.length && nextOf(open, index + 1) >= own;
    const close = isOwn ? own : Math.min(...closingMarks.values().map((mark) => nextOf(mark, index + 1)));
    if (close === text.length) break;
    const quote = text.slice(index, close + 1);
    if (quote.length - 2 > longest || (!overLines && quote.includes('\n'))) continue;
    result += text.slice(copied, index) + replace(quote);
    copied = close + 1;
  }
  return result + text.slice(copied);
}

/** Finds the next place of a mark, or the end of the text. The places that it is asked about only grow. */
function createSearch(text: string): (mark: string, from: number) => number {
  const found = new Map<string, number>();
  return (mark, from) => {
    const known = found.get(mark) ?? -1;
    if (known >= from) return known;
    const index = text.indexOf(mark, from);
    const next = index < 0 ? text.length : index;
    found.set(mark, next);
    return next;
  };
}
