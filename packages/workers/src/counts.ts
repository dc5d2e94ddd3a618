/** How many there are of each of many things; what there are none of takes no memory. */
export class Counts<K> {
  readonly #counts = new Map<K, number>();

  of(key: K): number {
    return this.#counts.get(key) ?? 0;
  }

  /** @param by negative for fewer. @returns how many there are then */
  add(key: K, by: number): number {
    const count = this.of(key) + by;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
    return count;
  }
}
