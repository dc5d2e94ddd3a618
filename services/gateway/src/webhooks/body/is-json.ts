import { isUtf8 } from 'node:buffer';
import { createTimeSlice, yieldToEventLoop } from '@mneme/workers/time-slices';

/** A text in UTF-8 may begin with it; readers of JSON may ignore it (RFC 8259, 8.1). */
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** A body that is larger, in bytes, waits for a turn of its own: those that arrive together are read one after the other. */
const largeBytes = 64 * 1_024;
/** The time slice is checked once per this many values. */
const valuesPerLook = 256;

/**
 * Whether bytes are JSON in UTF-8 (RFC 8259), as `JSON.parse` would decide, without building the values: those of a mebibyte
 * could take a hundred times its memory, and block the event loop for a while.
 */
export async function isJson(bytes: Buffer): Promise<boolean> {
  if (bytes.length > largeBytes) await yieldToEventLoop();
  if (!isUtf8(bytes)) return false;
  const start = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
  return new JsonScan(bytes, start).isOneValue();
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [objectStart, objectEnd, arrayStart, arrayEnd] = [0x7b, 0x7d, 0x5b, 0x5d];
const [minus, plus, point, zero, nine] = [0x2d, 0x2b, 0x2e, 0x30, 0x39];
const literals = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word)]));
const simpleEscapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));
const unicodeEscape = 'u'.charCodeAt(0);

/** Scans bytes. Each `take` returns whether its token is next, and if so moves behind it. */
class JsonScan {
  readonly #bytes: Buffer;
  #at: number;
  /** The ends of the open objects and arrays: an explicit stack, so that a deep payload cannot overflow the call stack. */
  #ends = new Uint8Array(64);
  #depth = 0;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  async isOneValue(): Promise<boolean> {
    const slice = createTimeSlice();
    let values = 0;
    do {
      this.#skipBlanks();
      if (!this.#takeValueOrStart()) return false;
      if (!this.#closeWhatEnds()) return false;
      values += 1;
      if (values % valuesPerLook === 0 && slice.isOver()) await slice.next();
    } while (this.#at < this.#bytes.length);
    return this.#depth === 0;
  }

  /** Takes a whole value, or the beginning of an object or array up to its first value. */
  #takeValueOrStart(): boolean {
    for (;;) {
      const first = this.#bytes[this.#at];
      if (first === quote) return this.#takeString();
      if (first !== objectStart && first !== arrayStart) return this.#takeNumber() || this.#takeLiteral(first);
      const end = first === objectStart ? objectEnd : arrayEnd;
      this.#at += 1;
      this.#skipBlanks();
      if (this.#take(end)) return true;
      this.#open(end);
      if (end === objectEnd && !this.#takeName()) return false;
      this.#skipBlanks();
    }
  }

  /** Takes what follows a value: ends, then a comma and, in an object, the name of the next value. */
  #closeWhatEnds(): boolean {
    for (;;) {
      this.#skipBlanks();
      const end = this.#ends[this.#depth - 1];
      if (this.#depth === 0) return this.#at === this.#bytes.length;
      if (this.#take(comma)) return this.#hasNext(end === objectEnd);
      if (end === undefined || !this.#take(end)) return false;
      this.#depth -= 1;
    }
  }

  #hasNext(isMember: boolean): boolean {
    this.#skipBlanks();
    return (!isMember || this.#takeName()) && this.#at < this.#bytes.length;
  }

  #takeName(): boolean {
    if (this.#bytes[this.#at] !== quote || !this.#takeString()) return false;
    this.#skipBlanks();
    return this.#take(colon);
  }

  #takeString(): boolean {
    const bytes = this.#bytes;
    for (let at = this.#at + 1; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (byte === quote) {
        this.#at = at + 1;
        return true;
      }
      if (byte < 0x20) return false;
      if (byte !== backslash) continue;
      const length = this.#escapeLength(at + 1);
      if (length === 0) return false;
      at += length;
    }
    return false;
  }

  /** The length of what follows a backslash; 0 when it is no escape. */
  #escapeLength(at: number): number {
    const kind = this.#bytes[at] ?? 0;
    if (simpleEscapes.has(kind)) return 1;
    if (kind !== unicodeEscape) return 0;
    for (let digit = at + 1; digit <= at + 4; digit += 1) if (!isHex(this.#bytes[digit] ?? 0)) return 0;
    return 5;
  }

  #takeLiteral(first: number | undefined): boolean {
    const word = literals.get(first ?? 0);
    if (!word?.equals(this.#bytes.subarray(this.#at, this.#at + word.length))) return false;
    this.#at += word.length;
    return true;
  }

  #takeNumber(): boolean {
    this.#take(minus);
    if (!this.#take(zero) && !this.#takeDigits()) return false;
    if (this.#take(point) && !this.#takeDigits()) return false;
    const mark = this.#bytes[this.#at];
    if (mark !== 0x65 && mark !== 0x45) return true;
    this.#at += 1;
    if (!this.#take(plus)) this.#take(minus);
    return this.#takeDigits();
  }

  #takeDigits(): boolean {
    const start = this.#at;
    while (isDigit(this.#bytes[this.#at] ?? 0)) this.#at += 1;
    return this.#at > start;
  }

  #take(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at += 1;
    return true;
  }

  #skipBlanks(): void {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.#at += 1;
    }
  }

  #open(end: number): void {
    if (this.#depth === this.#ends.length) {
      const more = new Uint8Array(this.#ends.length * 2);
      more.set(this.#ends);
      this.#ends = more;
    }
    this.#ends[this.#depth] = end;
    this.#depth += 1;
  }
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}

function isHex(byte: number): boolean {
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}
