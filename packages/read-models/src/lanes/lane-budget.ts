/** How much the lanes of a version may hold in memory, in bytes. */
const defaultBytes = 128 * 1024 * 1024;

/**
 * What the lanes of a version may hold in memory together. Half of it is divided among them, so that a lane with little is
 * not held up by others that hold much; the other half is for those that need more than their part.
 */
export class LaneBudget {
  readonly #part: number;
  readonly #common: number;
  /** What lanes hold beyond their parts. */
  #taken = 0;

  constructor(lanes: number, bytes = defaultBytes) {
    this.#part = Math.floor(bytes / 2 / lanes);
    this.#common = Math.floor(bytes / 2);
  }

  /** To be called when a lane holds more or less than before, in bytes. */
  note(before: number, after: number): void {
    this.#taken += this.#beyondPart(after) - this.#beyondPart(before);
  }

  /** How much more a lane may hold, in bytes. @param held what it holds */
  roomFor(held: number): number {
    return Math.max(0, this.#part - held) + Math.max(0, this.#common - this.#taken);
  }

  #beyondPart(held: number): number {
    return Math.max(0, held - this.#part);
  }
}
