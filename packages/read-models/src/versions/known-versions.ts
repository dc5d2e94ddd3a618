import type { DomainEvent } from '@mneme/contracts';
import { isUsable, type ReadModelDefinition } from '../definition.ts';
import type { KnownVersion } from './next-step.ts';
import type { OtherReleases } from './other-releases.ts';
import type { Registry } from './registry.ts';
import type { VersionRun } from './version-run.ts';

export interface KnownVersionsOptions<E extends DomainEvent, C> {
  readonly definition: ReadModelDefinition<E, C>;
  readonly registry: Registry;
  readonly others: OtherReleases;
  /** The versions at work in this instance, by number. */
  readonly runs: ReadonlyMap<number, VersionRun<E, C>>;
}

/** What an instance knows of versions, from the registry and from those that it has at work itself. */
export class KnownVersions<E extends DomainEvent, C> {
  readonly #options: KnownVersionsOptions<E, C>;

  constructor(options: KnownVersionsOptions<E, C>) {
    this.#options = options;
  }

  /** @returns null of no version */
  async of(version: number | null): Promise<KnownVersion | null> {
    if (version === null) return null;
    const kind = await this.#kindOf(version);
    const mismatch = this.#options.runs.get(version)?.mismatch;
    const isAsked = kind === 'foreign' || kind === 'removed';
    return { kind, mismatch, unusedMs: isAsked ? await this.#options.others.unusedMs(version) : 0 };
  }

  /** Whether a version is of the form that this instance wants. */
  async isOwn(version: number): Promise<boolean> {
    return (await this.#kindOf(version)) === 'own';
  }

  /** Whether this instance can answer from a version, whatever form it wants. */
  async isUsable(version: number): Promise<boolean> {
    const kind = await this.#kindOf(version);
    return kind === 'own' || kind === 'usable';
  }

  async #kindOf(version: number): Promise<KnownVersion['kind']> {
    const { definition, registry, runs } = this.#options;
    const form = runs.get(version)?.form ?? (await registry.build(version))?.form;
    if (form === undefined) return 'removed';
    if (form === definition.form) return 'own';
    return isUsable(definition, form) ? 'usable' : 'foreign';
  }
}
