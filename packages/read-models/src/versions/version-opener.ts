import type { DomainEvent } from '@mneme/contracts';
import { LineLimit } from '@mneme/workers/line-limit';
import { isUsable, type ReadModelDefinition } from '../definition.ts';
import { createDeferrals } from '../lanes/deferrals.ts';
import { identityOfKept, keptOf } from './kept-of.ts';
import type { Build, Registry } from './registry.ts';
import type { VersionDeps } from './version-parts.ts';
import { VersionRun } from './version-run.ts';

export interface VersionOpenerOptions<E extends DomainEvent, C> {
  readonly deps: VersionDeps;
  readonly definition: ReadModelDefinition<E, C>;
  readonly registry: Registry;
  /** How long ago the last question came, to whichever version, in milliseconds. */
  readonly unusedMs: () => number;
  /** Whether another version than this one answers questions, which are to go first. */
  readonly isToGiveWay: (version: number) => boolean;
  readonly onOpened: (run: VersionRun<E, C>) => void;
}

/** A version that could not be opened. */
export interface Unopened {
  readonly version: number;
  /** What the last try has failed with. */
  readonly error: unknown;
  /** When it has failed, by the clock of `performance`. */
  readonly failedAt: number;
}

/** How often an instance shows that it is still making a version, in milliseconds. */
const signEveryMs = 1_000;

/** Makes the stores of versions, where no other instance does, and starts versions. */
export class VersionOpener<E extends DomainEvent, C> {
  readonly #options: VersionOpenerOptions<E, C>;
  readonly #opening = new Map<number, Promise<void>>();
  /** Versions that this instance has begun to make. */
  readonly #begun = new Set<number>();
  readonly #failures = new LineLimit();

  constructor(options: VersionOpenerOptions<E, C>) {
    this.#options = options;
  }

  /** Leaves it to this instance to make a version. */
  noteBegun(version: number): void {
    this.#begun.add(version);
  }

  /**
   * Starts a version of a form that this instance can use, unless another instance is making it. A rebuild that is asked
   * for and the regular look at the versions may come to the same version at a time.
   */
  open(version: number): Promise<void> {
    const opening =
      this.#opening.get(version) ?? this.#makeAndOpen(version).finally(() => this.#opening.delete(version));
    this.#opening.set(version, opening);
    return opening;
  }

  /** Opens a version as `open` does. @returns what that has failed with, which is in the log as well */
  async tryToOpen(version: number): Promise<Unopened | undefined> {
    const { deps, definition } = this.#options;
    try {
      await this.open(version);
      return undefined;
    } catch (error) {
      this.#failures.write((omitted) =>
        deps.logger.warn(
          { err: error, readModel: definition.name, version, ...omitted },
          'Waiting to open a version of a read model',
        ),
      );
      return { version, error, failedAt: performance.now() };
    }
  }

  /** Resolves when no version is being opened. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#opening.values()]);
  }

  async #makeAndOpen(version: number): Promise<void> {
    const { registry, definition } = this.#options;
    const build = await registry.build(version);
    if (!build || !isUsable(definition, build.form)) return;
    const made = build.identity ? build : await this.#make(build);
    if (made) await this.#start(made);
  }

  /** Finishes to make a version, unless another instance is at it. */
  async #make(build: Build): Promise<Build | undefined> {
    const { deps, registry, definition } = this.#options;
    const isMine = this.#begun.has(build.version) || (await registry.takeOver(build.version));
    if (!isMine) return undefined;
    const store = definition.store(build.version, build.form);
    const { checkpoints, deferrals } = keptOf(deps.db, definition, build.version);
    const signs = setInterval(() => registry.keepMaking(build.version).catch(() => undefined), signEveryMs);
    // A version of this number may have been removed in part. Its checkpoints would skip events.
    const make = async () => {
      await checkpoints.drop();
      await deferrals.drop();
      await store.create();
      await checkpoints.create();
      await createDeferrals(deps.db);
      return { identity: await store.identity(), beside: await identityOfKept(deps.db) };
    };
    const made = await make().finally(() => clearInterval(signs));
    await registry.complete(build.version, made);
    this.#begun.delete(build.version);
    return { ...build, ...made };
  }

  async #start({ version, form, identity, beside }: Build): Promise<void> {
    const { deps, definition, unusedMs, isToGiveWay, onOpened } = this.#options;
    const store = definition.store(version, form);
    const wholeIdentity = async () => ({ ...(await store.identity()), ...(await identityOfKept(deps.db)) });
    const run = await VersionRun.start(deps, {
      definition,
      version,
      form,
      store: { ...store, identity: wholeIdentity },
      identity: { ...identity, ...beside },
      unusedMs,
      isToGiveWay: () => isToGiveWay(version),
    });
    onOpened(run);
  }
}
