import { createHash, type Hash } from 'node:crypto';

/** The longest name of a column, in characters. */
const maxNameLength = 255;
const hashLength = 16;
const headLength = maxNameLength - hashLength - 1;

/** The name of a field, which grows by one key for each level; its length is bounded however long the keys are. */
export interface FieldName {
  /** The column's name, or the beginning of one that is too long. */
  readonly text: string;
  /** The hash of the whole name if it is too long. */
  readonly hash: Hash | undefined;
  /** The keys as they were sent, joined; truncated at the end, and well-formed whatever was sent. */
  readonly display: string;
}

/** The name of a key, or of a key within another field. */
export function fieldName(key: string, parent: FieldName | undefined): FieldName {
  const display = cut(parent ? `${parent.display}_${key.slice(0, maxNameLength)}` : key);
  const part = parent ? `_${normalise(key)}` : normalise(key);
  if (parent?.hash) return { text: parent.text, hash: parent.hash.copy().update(part), display };
  const text = (parent?.text ?? '') + part;
  if (text.length <= maxNameLength) return { text, hash: undefined, display };
  return { text: text.slice(0, headLength), hash: createHash('sha256').update(text), display };
}

/** The column name: lower case, other characters than a-z, 0-9 and `_` replaced by `_`, truncated with a hash at the end. */
export function columnNameOf({ text, hash }: FieldName): string {
  if (hash) return `${text}_${hash.copy().digest('hex').slice(0, hashLength)}`;
  return text === '' ? '_' : text;
}

function normalise(key: string): string {
  return key.toLowerCase().replace(/[^a-z\d_]/g, '_');
}

/** The first half of a character that is written as two. */
const halfAtEnd = /[\ud800-\udbff]$/;

function cut(display: string): string {
  const isLong = display.length > maxNameLength;
  const short = isLong ? `${display.slice(0, maxNameLength - 1).replace(halfAtEnd, '')}…` : display;
  return short.toWellFormed();
}
