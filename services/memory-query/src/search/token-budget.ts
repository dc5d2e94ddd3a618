/** The longest prefix whose tokens fit; stops before the first that does not, even if a later one would. */
export function withinTokens<T extends { readonly tokens: number }>(ranked: readonly T[], maxTokens: number): T[] {
  let left = maxTokens;
  const fitting: T[] = [];
  for (const each of ranked) {
    if (each.tokens > left) break;
    left -= each.tokens;
    fitting.push(each);
  }
  return fitting;
}
