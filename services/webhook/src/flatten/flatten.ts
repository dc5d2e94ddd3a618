import { defaultColumns, maxColumns } from '@mneme/contracts';
import { columnNameOf, type FieldName, fieldName } from './field-name.ts';
import { type JsonTree, maxMembers, readTree, tooManyColumns } from './json-tree.ts';

/** The value of a payload for one column. */
export interface Field {
  /** The keys that lead to the first value, joined by `_`. */
  readonly displayName: string;
  /** JSON text of the first value, which determines the type of a new column. */
  readonly firstJson: string;
  /** JSON text of the value, exactly as it was sent; of several values with the same column name, the last one. */
  readonly json: string;
}

/** Columns whose values a payload can overwrite, but which it never adds to a table. */
export const reservedNames: ReadonlySet<string> = new Set(defaultColumns.map(({ columnName }) => columnName));

/**
 * Flattens a payload into the fields of a row, by column name, in the order of their first appearance. Members of nested
 * objects become fields; arrays stay values. JSON that is no object has no fields.
 * @param payload JSON text
 * @param most how many members it may have in all
 * @throws PayloadError when it is not JSON, is nested too deeply, or has more fields than a table may have columns
 */
export function flatten(payload: string, most = maxMembers): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  const tree = readTree(payload, most);
  for (const { name, json } of leavesOf(tree ?? new Map())) {
    const columnName = columnNameOf(name);
    const before = fields.get(columnName);
    fields.set(columnName, before ? { ...before, json } : { displayName: name.display, firstJson: json, json });
    if (fields.size > maxColumns + reservedNames.size) throw tooManyColumns();
  }
  return fields;
}

interface OpenObject {
  readonly name: FieldName | undefined;
  readonly members: Iterator<[string, JsonTree | string]>;
}

function* leavesOf(tree: JsonTree): Generator<{ name: FieldName; json: string }> {
  const open: OpenObject[] = [{ name: undefined, members: tree.entries() }];
  for (let current = open.at(-1); current; current = open.at(-1)) {
    const { value: member, done } = current.members.next();
    if (done) {
      open.pop();
      continue;
    }
    const [key, value] = member;
    const name = fieldName(key, current.name);
    if (typeof value === 'string') yield { name, json: value };
    else open.push({ name, members: value.entries() });
  }
}
