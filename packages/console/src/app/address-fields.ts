/** A field of an address, left out if it is not valid. */
export type Field<K extends string, V> = Partial<Record<K, V>>;

/**
 * Reads an address for a route. The router keeps what is given where it has no other value, so that what is not valid is
 * set to undefined.
 */
export function validSearch<Search extends object>(read: (given: Record<string, unknown>) => Search) {
  return (given: Record<string, unknown>): Search => ({
    ...Object.fromEntries(Object.keys(given).map((name) => [name, undefined])),
    ...read(given),
  });
}

/** A text, which the router takes for a number or a truth value if it looks like one; left out if empty. */
export function textIn<K extends string>(name: K, given: Record<string, unknown>): Field<K, string> {
  const value = given[name];
  const isText = (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean';
  return isText ? only(name, String(value)) : {};
}

/** A day in the reader's zone, such as `2026-03-01`. */
export function dayIn<K extends string>(name: K, given: Record<string, unknown>): Field<K, string> {
  const value = given[name];
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? only(name, value) : {};
}

/** The moment at which a day begins for the reader. */
export function startOfDay(day: string | undefined): Date | undefined {
  return day === undefined ? undefined : new Date(`${day}T00:00:00`);
}

export function only<K extends string, V>(name: K, value: V): Field<K, V> {
  return { [name]: value } as Field<K, V>;
}
