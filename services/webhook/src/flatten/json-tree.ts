import { maxColumns } from '@mneme/contracts';

/** A payload that cannot become a row. Users see the message in their logs. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
}

export function tooManyColumns(): PayloadError {
  return new PayloadError(`The table would have more than ${maxColumns} columns`);
}

/** The members of a JSON object: nested objects, or the JSON text of other values exactly as it was sent. */
export type JsonTree = ReadonlyMap<string, JsonTree | string>;

/** Some editors write it at the beginning of a text; readers of JSON may ignore it (RFC 8259, 8.1). */
const byteOrderMark = '\ufeff';
/** How many members a payload may have, in all objects together, to become a row. */
export const maxMembers = 20_000;
/** How deep objects and arrays may be nested. */
const maxDepth = 100;

/**
 * Reads a JSON object without changing its values: 9007199254740993, 1e400 and 1.10 stay as they were sent. Of two members
 * with the same name the last one counts, at its own place.
 * @param most how many members it may have
 * @returns undefined for JSON that is no object
 * @throws PayloadError when it is not JSON, is nested too deeply, or has too many members
 */
export function readTree(payload: string, most: number): JsonTree | undefined {
  const text = payload.startsWith(byteOrderMark) ? payload.slice(1) : payload;
  assertJson(text);
  const cursor = new Cursor(text);
  cursor.skip();
  if (cursor.peek() !== '{') {
    cursor.takeValue(0);
    return undefined;
  }
  return readObject(cursor, most);
}

type OpenTree = Map<string, OpenTree | string>;

/** Uses an explicit stack, so that a deep payload cannot overflow the call stack. */
function readObject(cursor: Cursor, most: number): JsonTree {
  const root: OpenTree = new Map();
  const open = [root];
  let members = 0;
  cursor.at += 1;
  for (let current = open.at(-1); current; current = open.at(-1)) {
    cursor.skip();
    if (cursor.peek() === '}') {
      cursor.at += 1;
      open.pop();
      continue;
    }
    members += 1;
    if (members > most) throw tooManyColumns();
    const name: string = JSON.parse(cursor.takeString());
    cursor.skip();
    if (cursor.peek() !== '{') {
      setLast(current, name, cursor.takeValue(open.length));
      continue;
    }
    const child: OpenTree = new Map();
    setLast(current, name, child);
    open.push(child);
    assertDepth(open.length);
    cursor.at += 1;
  }
  return root;
}

/** A map keeps a key that is set again at its first place. */
function setLast(members: OpenTree, name: string, value: OpenTree | string): void {
  members.delete(name);
  members.set(name, value);
}

function assertJson(text: string): void {
  try {
    JSON.parse(text);
  } catch (cause) {
    throw new PayloadError('The payload is not JSON', { cause });
  }
}

function assertDepth(depth: number): void {
  if (depth > maxDepth) throw new PayloadError(`The payload is deeper than ${maxDepth} levels`);
}

/** Walks over text that is known to be JSON. */
class Cursor {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  peek(): string | undefined {
    return this.#text[this.at];
  }

  /** Skips white space and separators. */
  skip(): void {
    for (;;) {
      const char = this.#text[this.at];
      if (char !== ' ' && char !== '\n' && char !== '\r' && char !== '\t' && char !== ',' && char !== ':') return;
      this.at += 1;
    }
  }

  /** Takes any value except an object that is a member of an object. */
  takeValue(depth: number): string {
    const char = this.peek();
    if (char === '"') return this.takeString();
    return char === '[' || char === '{' ? this.#takeNested(depth) : this.#takeWord();
  }

  /** Takes a string with its quotes and escapes. */
  takeString(): string {
    const from = this.at;
    for (this.at += 1; ; this.at += 1) {
      const char = this.#text[this.at];
      if (char === '\\') this.at += 1;
      else if (char === '"') break;
    }
    this.at += 1;
    return this.#text.slice(from, this.at);
  }

  #takeWord(): string {
    const from = this.at;
    while (this.at < this.#text.length && !' \n\r\t,]}'.includes(this.#text.charAt(this.at))) this.at += 1;
    return this.#text.slice(from, this.at);
  }

  #takeNested(depth: number): string {
    const from = this.at;
    for (let level = depth; ; ) {
      const char = this.peek();
      if (char === '"') {
        this.takeString();
        continue;
      }
      this.at += 1;
      if (char === '[' || char === '{') assertDepth(++level);
      if (char === ']' || char === '}') level -= 1;
      if (level === depth) return this.#text.slice(from, this.at);
    }
  }
}
