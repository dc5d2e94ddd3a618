import type { Registry } from './registry.ts';

/** An instance that has not been heard of for so long has ended, in milliseconds. */
export const silentMs = 30_000;
/** For so long it is looked whether there is really none, in milliseconds. */
const stillSilentMs = 10_000;

/** Whether instances of other releases use versions that this one cannot use. */
export class OtherReleases {
  readonly #registry: Pick<Registry, 'isAtWork' | 'isBeingMade'>;
  readonly #now: () => number;
  /** Since when no instance was seen that uses a version. */
  readonly #silentSince = new Map<number, number>();

  /** @param now a clock that does not jump, in milliseconds */
  constructor(registry: Pick<Registry, 'isAtWork' | 'isBeingMade'>, now = () => performance.now()) {
    this.#registry = registry;
    this.#now = now;
  }

  /** Whether some instance makes a version, or has it at work. */
  async use(version: number): Promise<boolean> {
    return (await this.#registry.isBeingMade(version, silentMs)) || (await this.#registry.isAtWork(version, silentMs));
  }

  /**
   * Whether none has used a version for a while. After the database was away, an instance is given time to be heard of again.
   * @param forMs after so long it is taken to have left for good; one that ends in an orderly way leaves no sign of itself
   */
  async haveLeft(version: number, forMs = stillSilentMs): Promise<boolean> {
    if (await this.use(version)) {
      this.#silentSince.delete(version);
      return false;
    }
    const since = this.#silentSince.get(version) ?? this.#now();
    this.#silentSince.set(version, since);
    return this.#now() - since >= forMs;
  }

  /** Begins anew to look whether a version is used. */
  forget(version: number): void {
    this.#silentSince.delete(version);
  }
}
