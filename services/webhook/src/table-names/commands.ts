/** The name of a table: in lower case, with runs of white space replaced by `_`. */
export function tableName(wanted: string): string {
  return wanted.toLowerCase().replace(/\s+/g, '_');
}

/** For a table that nobody has named. */
export function madeUpName(at: Date): string {
  return `webhook_${at.getTime()}`;
}

/** The name itself, or the first of `name_2`, `name_3` and so on that is not taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) {
    const numbered = `${name}_${number}`;
    if (!taken.has(numbered)) return numbered;
  }
}
