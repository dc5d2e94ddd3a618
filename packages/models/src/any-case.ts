/**
 * The same expression for small and capital letters alike, where only a part of a larger one is to ignore case. The syntax
 * `(?i:...)` is for that, but V8 sometimes ignores it in Node 24 (nodejs/node#60030).
 *
 * @param source without classes of letters
 */
export function anyCase(source: string): string {
  const bothCases = (part: string) => (part.length === 1 ? `[${part.toLowerCase()}${part.toUpperCase()}]` : part);
  return source.replace(/\\.|[a-z]/gi, bothCases);
}
