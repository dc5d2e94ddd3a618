import { createHash, type Hash } from 'node:crypto';

/** The longest name of a column, in characters. */
export const maxNameLength = 255;
const hashLength = 16;
const headLength = maxNameLength - hashLength - 1;

/** The name of a field while it grows by one key for each level; it never holds more than a name may have. */
export interface FieldName {
  /** The column's name, or what is left of one that is too long. */
  readonly text: string;
  /** Of all of a name that is too long. */
  readonly hash: Hash | undefined;
  /** The keys as they are, joined; cut at the end where they are too long. */
  readonly display: string;
}

/** The name of a key, or of a key within a field. */
export function fieldName(key: string, parent: FieldName | undefined): FieldName {
  const display = cut(parent ? `${parent.display}_${key.slice(0, maxNameLength)}` : key);
  const part = parent ? `_${normalise(key)}` : normalise(key);
  if (parent?.hash) return { text: parent.text, hash: parent.hash.copy().update(part), display };
  const text = (parent?.text ?? '') + part;
  if (text.length <= maxNameLength) return { text, hash: undefined, display };
  return { text: text.slice(0, headLength), hash: createHash('sha256').update(text), display };
}

/** Lower case, with every character outside a-z, 0-9 and `_` replaced by `_`; cut with a hash behind when it is too long. */
export function columnNameOf({ text, hash }: FieldName): string {
  if (hash) return `${text}_${hash.copy().digest('hex').slice(0, hashLength)}`;
  return text === '' ? '_' : text;
}

function normalise(key: string): string {
  return key.toLowerCase().replace(/[^a-z\d_]/g, '_');
}

function cut(display: string): string {
  return display.length <= maxNameLength ? display : `${display.slice(0, maxNameLength - 1)}…`;
}
