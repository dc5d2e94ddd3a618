/** A text of an address, which the router takes for a number or a truth value if it looks like one; left out if empty. */
export function textIn<K extends string>(name: K, given: Record<string, unknown>): Partial<Record<K, string>> {
  const value = given[name];
  const isText = (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean';
  return isText ? ({ [name]: String(value) } as Partial<Record<K, string>>) : {};
}
