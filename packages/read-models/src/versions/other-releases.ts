import type { Registry, Roles } from './registry.ts';

/** An instance that has not been heard of for so long has ended, in milliseconds. */
export const silentMs = 30_000;
/** For so long it is looked whether there is really none, in milliseconds. */
const stillSilentMs = 10_000;

/** Whether instances of other releases use versions that this one cannot use. */
export class OtherReleases {
  readonly #registry: Registry;
  /** Since when no instance was seen that uses the previous version. */
  #silentSince: number | undefined;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Whether some instance makes a version, or has it at work. */
  async use(version: number): Promise<boolean> {
    return (await this.#registry.isBeingMade(version, silentMs)) || (await this.#registry.isAtWork(version, silentMs));
  }

  /**
   * Whether none has used the previous version for a while. After the database was away, an instance is given time to be heard
   * of again.
   * @param isKept whether it is kept in any case
   */
  async haveLeft({ version }: NonNullable<Roles['previous']>, isKept: boolean): Promise<boolean> {
    if (isKept || (await this.#registry.isAtWork(version, silentMs))) {
      this.#silentSince = undefined;
      return false;
    }
    this.#silentSince ??= performance.now();
    return performance.now() - this.#silentSince >= stillSilentMs;
  }
}
