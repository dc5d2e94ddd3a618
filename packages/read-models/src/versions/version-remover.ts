import type { DomainEvent } from '@mneme/contracts';
import { deadLetters } from '@mneme/event-store';
import type { ReadModelDefinition } from '../definition.ts';
import { deleteOrphans } from './orphans.ts';
import { silentMs } from './other-releases.ts';
import type { Registry } from './registry.ts';
import type { VersionDeps } from './version-parts.ts';
import { versionProgress } from './version-progress.ts';
import type { VersionRun } from './version-run.ts';

export interface VersionRemoverOptions<E extends DomainEvent, C> {
  readonly deps: VersionDeps;
  readonly definition: ReadModelDefinition<E, C>;
  readonly registry: Registry;
  /** Takes a version out of those at work in this instance; undefined when it is not among them. */
  readonly takeOut: (version: number) => VersionRun<E, C> | undefined;
}

/** A version that was begun and that no one wants is removed after this time, in milliseconds. */
const abandonedAfterMs = 30_000;
/** Once per this many checks. */
const looksPerCleaning = 10;

/** Removes versions, with everything that they have left, in all instances. */
export class VersionRemover<E extends DomainEvent, C> {
  readonly #options: VersionRemoverOptions<E, C>;
  #looks = 0;
  /** The version that answered when unknown ones were last looked for. */
  #cleanedFor: number | undefined;

  constructor(options: VersionRemoverOptions<E, C>) {
    this.#options = options;
  }

  async remove(version: number): Promise<void> {
    const { deps, definition, registry, takeOut } = this.#options;
    const { name, stream } = definition;
    const run = takeOut(version);
    const { checkpoints, deferrals } = versionProgress(deps.db, definition, version);
    // Instances that still write it, perhaps of another release, are fenced.
    await checkpoints.retire();
    await run?.stop();
    const store = run?.store ?? definition.store(version, (await registry.build(version))?.form ?? definition.form);
    await store.drop();
    await deferrals.drop();
    await checkpoints.drop();
    // What it has dead-lettered cannot be retried any more; the versions that stay have their own.
    await deadLetters(deps.connection).discardAllOf(stream, `${name}@${version}`);
    await registry.forget(version);
    await deleteOrphans(deps.db, name, registry);
    deps.logger.info({ readModel: name, version }, 'Removed a version of a read model');
  }

  /**
   * Removes what versions have left outside of the database that it does not know: it was lost, and built anew with other
   * numbers. A version that is being made is written down first, and gets none of these numbers. Once for each version that
   * answers.
   * @param answering the number of the version that answers
   */
  async removeUnknown(answering: number): Promise<void> {
    if (answering === this.#cleanedFor) return;
    const { definition, registry } = this.#options;
    for (const { version, isOfThisLog } of (await definition.keptOutside?.()) ?? []) {
      if (isOfThisLog && !(await registry.build(version))) await this.remove(version);
    }
    this.#cleanedFor = answering;
  }

  /**
   * To be called at every look: at some of them it removes versions that were begun in vain, and what instances have left of
   * removed ones.
   * @param answering the number of the version that answers here
   */
  async removeAbandoned(answering: number | undefined): Promise<void> {
    this.#looks += 1;
    if (this.#looks % looksPerCleaning !== 0) return;
    const { deps, definition, registry } = this.#options;
    for (const version of await registry.begunBefore(abandonedAfterMs)) {
      if (version === answering || (await this.#hasRole(version))) continue;
      // Whoever has it at work keeps it up to date, and may answer from it.
      if (!(await registry.isAtWork(version, silentMs))) await this.remove(version);
    }
    await deleteOrphans(deps.db, definition.name, registry);
  }

  /** By what is written down now: another instance may have changed it since the look began. */
  async #hasRole(version: number): Promise<boolean> {
    const roles = await this.#options.registry.roles();
    // When the database was lost, nothing is known of any version.
    return !roles || [roles.live, roles.target, roles.previous?.version].includes(version);
  }
}
