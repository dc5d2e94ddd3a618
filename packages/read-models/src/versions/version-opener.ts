import type { DomainEvent } from '@mneme/contracts';
import { LineLimit } from '@mneme/workers/line-limit';
import { isUsable, type ReadModelDefinition } from '../definition.ts';
import { createDeferrals } from '../lanes/deferrals.ts';
import type { Build, Registry } from './registry.ts';
import type { VersionDeps } from './version-parts.ts';
import { progressIdentity, versionProgress } from './version-progress.ts';
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
/**
 * How long an instance leaves a version alone that it could not make, in milliseconds; twice as long each time while another one
 * answers. A full store is not to be kept busy with tries.
 */
const firstPauseMs = 5_000;
/** Other releases take a version for given up that no instance has tried to make for 30 s. */
const longestPauseMs = 20_000;

/** Makes the stores of versions, where no other instance does, and starts versions. */
export class VersionOpener<E extends DomainEvent, C> {
  readonly #options: VersionOpenerOptions<E, C>;
  readonly #opening = new Map<number, Promise<void>>();
  /** Versions that are left to this instance to make. */
  readonly #begun = new Set<number>();
  /** What this instance could last not make, how often in a row, and until when it is left alone. */
  #unmade = { version: 0, inARow: 0, until: 0 };
  /** What the last try of each version has failed with. */
  readonly #failures = new Map<number, Unopened>();
  readonly #lines = new LineLimit();

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

  /** What a version that is not open could last not be opened with. */
  failureOf(version: number): Unopened | undefined {
    return this.#failures.get(version);
  }

  /** Opens a version as `open` does; what that fails with is kept, and in the log. */
  async tryToOpen(version: number): Promise<void> {
    const { deps, definition } = this.#options;
    try {
      await this.open(version);
    } catch (error) {
      this.#failures.set(version, { version, error, failedAt: performance.now() });
      this.#lines.write((omitted) =>
        deps.logger.warn(
          { err: error, readModel: definition.name, version, ...omitted },
          'Waiting to open a version of a read model',
        ),
      );
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
    if (this.#isLeftAlone(build.version)) return undefined;
    // When that fails it is any instance's to take over: two must not make it at once.
    const isMine = this.#begun.delete(build.version) || (await registry.takeOver(build.version));
    if (!isMine) return undefined;
    const store = definition.store(build.version, build.form);
    const { checkpoints, deferrals } = versionProgress(deps.db, definition, build.version);
    const signs = setInterval(() => registry.keepMaking(build.version).catch(() => undefined), signEveryMs);
    // A version of this number may have been removed in part. Its checkpoints would skip events.
    const make = async () => {
      await checkpoints.drop();
      await deferrals.drop();
      await store.create();
      await checkpoints.create();
      await createDeferrals(deps.db);
      return { identity: await store.identity(), beside: await progressIdentity(deps.db) };
    };
    try {
      const made = await make().finally(() => clearInterval(signs));
      await registry.complete(build.version, made);
      return { ...build, ...made };
    } catch (error) {
      this.#leaveAlone(build.version);
      throw error;
    }
  }

  #isLeftAlone(version: number): boolean {
    return version === this.#unmade.version && performance.now() < this.#unmade.until;
  }

  #leaveAlone(version: number): void {
    const inARow = version === this.#unmade.version ? this.#unmade.inARow + 1 : 1;
    const longestMs = this.#options.isToGiveWay(version) ? longestPauseMs : firstPauseMs;
    const pauseMs = Math.min(firstPauseMs * 2 ** (inARow - 1), longestMs);
    this.#unmade = { version, inARow, until: performance.now() + pauseMs };
  }

  async #start({ version, form, identity, beside }: Build): Promise<void> {
    const { deps, definition, unusedMs, isToGiveWay, onOpened } = this.#options;
    const store = definition.store(version, form);
    const wholeIdentity = async () => ({ ...(await store.identity()), ...(await progressIdentity(deps.db)) });
    const run = await VersionRun.start(deps, {
      definition,
      version,
      form,
      store: { ...store, identity: wholeIdentity },
      identity: { ...identity, ...beside },
      unusedMs,
      isToGiveWay: () => isToGiveWay(version),
    });
    this.#failures.delete(version);
    onOpened(run);
  }
}
