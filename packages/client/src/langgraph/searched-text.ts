/** The whole value. */
export const wholeValue = '$';

/**
 * The text of a value by which it is found.
 *
 * @param fields paths such as `text`, `author.name`, `chapters[*].title`, `chapters[-1]`; `$` is the whole value
 * @returns a text as it is, otherwise lines `path: value`; empty if the value has nothing at these paths
 */
export function searchedText(value: unknown, fields: readonly string[]): string {
  return fields
    .flatMap((field) => (field === wholeValue ? [value] : valuesAt(value, stepsOf(field))))
    .map(textOf)
    .join('\n');
}

function stepsOf(field: string): string[] {
  return field.split(/[.[\]]+/).filter((step) => step !== '');
}

function valuesAt(value: unknown, [step, ...others]: readonly string[]): unknown[] {
  if (step === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [];
  const members = step === '*' ? Object.values(value) : [memberOf(value, step)];
  return members.flatMap((member) => (member === undefined ? [] : valuesAt(member, others)));
}

function memberOf(value: object, step: string): unknown {
  if (Array.isArray(value)) return /^-?\d+$/.test(step) ? value.at(Number(step)) : undefined;
  return Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined;
}

function textOf(value: unknown): string {
  const leaves = [...leavesOf(value, '')];
  if (leaves.length === 1 && typeof leaves[0]?.[1] === 'string') return leaves[0][1];
  return leaves.map(([path, leaf]) => (path === '' ? String(leaf) : `${path}: ${leaf}`)).join('\n');
}

/** The scalars in a value with their paths; those of a list are one, with commas between them. */
function* leavesOf(value: unknown, path: string): Generator<[path: string, leaf: unknown]> {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object') yield [path, value];
  else if (Array.isArray(value) && value.every(isScalar)) yield* value.length === 0 ? [] : [[path, value.join(', ')]];
  else
    for (const [name, member] of Object.entries(value)) yield* leavesOf(member, path === '' ? name : `${path}.${name}`);
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
