import { parseArgs } from 'node:util';

/**
 * Reads the command line of a benchmark. Each may be told to print `--json`.
 * @param numbers the options with a number, with their defaults; reports have them in this order
 * @param flags the options without a value
 * @throws TypeError for an option that is not among these
 */
export function readOptions<Name extends string, Flag extends string = never>(
  numbers: Readonly<Record<Name, number>>,
  flags: readonly Flag[] = [],
): Record<Name, number> & Record<Flag | 'json', boolean> {
  const ofNumbers = Object.entries(numbers).map(([name, value]) => {
    return [name, { type: 'string', default: String(value) }] as const;
  });
  const ofFlags = [...flags, 'json'].map((name) => [name, { type: 'boolean', default: false }] as const);
  const options = Object.fromEntries([...ofNumbers, ...ofFlags]);
  const values: Readonly<Record<string, unknown>> = parseArgs({ options }).values;
  const read = [
    ...ofNumbers.map(([name]) => [name, Number(values[name])]),
    ...ofFlags.map(([name]) => [name, values[name]]),
  ];
  return Object.fromEntries(read);
}
