/**
 * Collects what comes in, up to a bound. Many small pieces take the room of their bytes only, and never more than twice
 * what has come: a length that is announced is not believed.
 */
export class ReceivedBytes {
  readonly #maxBytes: number;
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @returns false when it would be more than allowed; the piece is not kept then */
  add(piece: Buffer): boolean {
    const length = this.#length + piece.length;
    if (length > this.#maxBytes) return false;
    if (this.#length === 0) {
      this.#buffer = piece;
    } else {
      this.#makeRoomFor(length);
      piece.copy(this.#buffer, this.#length);
    }
    this.#length = length;
    return true;
  }

  /** All that came. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #makeRoomFor(length: number): void {
    if (this.#buffer.length >= length) return;
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#maxBytes, Math.max(length, this.#length * 2)));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
