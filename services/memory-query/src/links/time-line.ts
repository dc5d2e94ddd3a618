import type { OtherUnit } from './derive-links.ts';

/** Units sorted by date; units of the same date by age, oldest first. */
export class TimeLine {
  readonly #units: OtherUnit[] = [];

  add(unit: OtherUnit): void {
    this.#units.splice(this.#placeAfter(unit.eventDate, unit.ordinal), 0, unit);
  }

  /** The `count` nearest of those not later than the date, and of those later. */
  around(date: Date, count: number): OtherUnit[] {
    const place = this.#placeAfter(date, Number.POSITIVE_INFINITY);
    return this.#units.slice(Math.max(0, place - count), place + count);
  }

  /** The first place behind all that come before this date and ordinal. */
  #placeAfter(date: Date, ordinal: number): number {
    let [low, high] = [0, this.#units.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const unit = this.#units[middle];
      const isBefore =
        unit &&
        (unit.eventDate.getTime() < date.getTime() ||
          (unit.eventDate.getTime() === date.getTime() && unit.ordinal < ordinal));
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
