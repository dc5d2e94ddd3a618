/**
 * Reads a query string into names and values. A name that occurs again has a list, which no schema of ours takes, so
 * that a repeated parameter is refused and never half of it used. No prototype, so that any name is just a name.
 */
export function parseQueryString(text: string | null): Record<string, string | string[]> {
  const parameters: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text ?? '')) {
    const earlier = parameters[name];
    parameters[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  return parameters;
}
