import type { Registry } from './registry.ts';

/** An instance that has not been heard of for so long has ended, in milliseconds. */
export const silentMs = 30_000;
/** For so long it is looked whether there is really none, in milliseconds. */
const stillSilentMs = 10_000;

/** Whether instances of other releases use versions that this one cannot use. */
export class OtherReleases {
  readonly #registry: Registry;
  /** Since when no instance was seen that uses a version. */
  readonly #silentSince = new Map<number, number>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Whether some instance makes a version, or has it at work. @param withinMs after so long without a sign of it, it has ended */
  async use(version: number, withinMs = silentMs): Promise<boolean> {
    return (await this.#registry.isBeingMade(version, withinMs)) || (await this.#registry.isAtWork(version, withinMs));
  }

  /**
   * Whether none has used a version for a while. After the database was away, an instance is given time to be heard of again.
   * @param withinMs as of `use`
   */
  async haveLeft(version: number, withinMs = silentMs): Promise<boolean> {
    if (await this.use(version, withinMs)) {
      this.#silentSince.delete(version);
      return false;
    }
    const since = this.#silentSince.get(version) ?? performance.now();
    this.#silentSince.set(version, since);
    return performance.now() - since >= stillSilentMs;
  }

  /** Begins anew to look whether a version is used. */
  forget(version: number): void {
    this.#silentSince.delete(version);
  }
}
