import type { Registry } from './registry.ts';

/** An instance that has not been heard of for this time has ended, in milliseconds. */
export const silentMs = 30_000;

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
   * For how long no instance was seen that uses a version, in milliseconds: 0 while one is. It counts from when this was first
   * asked, so that after the database was away an instance is given time to be heard of again.
   */
  async unusedMs(version: number): Promise<number> {
    if (await this.use(version)) {
      this.#silentSince.delete(version);
      return 0;
    }
    const since = this.#silentSince.get(version) ?? this.#now();
    this.#silentSince.set(version, since);
    return this.#now() - since;
  }

  /** Begins anew to look whether a version is used. */
  forget(version: number): void {
    this.#silentSince.delete(version);
  }
}
