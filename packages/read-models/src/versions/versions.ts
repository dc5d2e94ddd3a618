import type { DomainEvent } from '@mneme/contracts';
import { headOf, openLog } from '@mneme/event-store';
import type { ReadModelDefinition } from '../definition.ts';
import { rebuilding } from '../errors.ts';
import { KnownVersions } from './known-versions.ts';
import { endedMs, nextStep, type Situation } from './next-step.ts';
import { OtherReleases } from './other-releases.ts';
import { Registry, type Roles } from './registry.ts';
import { type Unopened, VersionOpener } from './version-opener.ts';
import type { VersionDeps } from './version-parts.ts';
import { VersionRemover } from './version-remover.ts';
import type { VersionRun } from './version-run.ts';

export interface VersionsOptions<E extends DomainEvent, C> {
  readonly deps: VersionDeps;
  readonly definition: ReadModelDefinition<E, C>;
  /** How long ago the last question came, in milliseconds. */
  readonly unusedMs: () => number;
}

/** How long a look waits for the next version to be as far as the one that answers, in milliseconds. */
const adoptWaitMs = 1_000;
/** How long a version that was replaced is kept up to date, to go back to, in milliseconds. */
const keepPreviousMs = 15 * 60_000;
/** The same if it has another form than the next one, so that it is only kept until all instances have noticed. */
const keepReplacedMs = 60_000;
/** A rebuild that caught up within this time is as good as up to date, in milliseconds. */
const closeEnoughMs = 2_000;

/**
 * The versions of a read model at work in this instance. What is to become of them is written down in the registry, which
 * all instances share: each follows it, and may write down what has to be done next.
 */
export class Versions<E extends DomainEvent, C> {
  readonly #options: VersionsOptions<E, C>;
  readonly #registry: Registry;
  readonly #opener: VersionOpener<E, C>;
  readonly #remover: VersionRemover<E, C>;
  readonly #others: OtherReleases;
  readonly #known: KnownVersions<E, C>;
  readonly #runs = new Map<number, VersionRun<E, C>>();
  #roles: Roles = { live: null, target: null, previous: null };
  /** When they were looked at, in milliseconds since 1970 by the clock of the database, which all instances share. */
  #lookedAtMs = 0;
  #live: VersionRun<E, C> | undefined;
  /** Why nothing answers, or what is done about it. */
  #reason = 'The read model is being opened';
  #newest = 0;

  constructor(options: VersionsOptions<E, C>) {
    const { deps, definition, unusedMs } = options;
    this.#options = options;
    this.#registry = new Registry(deps.db, definition.name);
    this.#others = new OtherReleases(this.#registry);
    this.#known = new KnownVersions({ definition, registry: this.#registry, others: this.#others, runs: this.#runs });
    this.#opener = new VersionOpener({
      deps,
      definition,
      registry: this.#registry,
      unusedMs,
      isToGiveWay: (version) => this.version !== undefined && this.version !== version,
      onOpened: (run) => this.#add(run),
    });
    const takeOut = (version: number) => this.#takeOut(version);
    this.#remover = new VersionRemover({ deps, definition, registry: this.#registry, takeOut });
  }

  /** Makes what the versions are written down in, unless it is there. */
  begin(): Promise<void> {
    return this.#registry.begin();
  }

  /** Which versions there are to be, as of the last look. */
  get roles(): Roles {
    return this.#roles;
  }

  /** The version that was chosen to answer; its `mismatch` says whether it still may. */
  get live(): VersionRun<E, C> | undefined {
    return this.#live;
  }

  /** The number of the version that answers; undefined when none can. */
  get version(): number | undefined {
    return this.#live?.mismatch === undefined ? this.#live?.version : undefined;
  }

  /** All versions that are kept up to date or built. */
  get runs(): ReadonlyMap<number, VersionRun<E, C>> {
    return this.#runs;
  }

  get reason(): string {
    return this.#reason;
  }

  /** The version that is to take the place of the live one, if this instance could not open it and tries again. */
  get unopened(): Unopened | undefined {
    return this.#failureOf(this.#roles.target);
  }

  /** Whether this instance does not know what the version before the live one has applied, since it could not be opened. */
  get isPreviousUnopened(): boolean {
    return this.#failureOf(this.#roles.previous?.version ?? null) !== undefined;
  }

  /** The version that answers. @throws WireError 503 `REBUILDING` when none can */
  answering(): VersionRun<E, C> {
    if (this.#live && this.#live.mismatch === undefined) return this.#live;
    throw rebuilding(`${this.#reason}; try again`);
  }

  /** Brings what this instance does in line with what is written down, and writes down what has to be done next. */
  async follow(): Promise<void> {
    const roles = await this.#registry.roles();
    if (!roles) return this.#startOver();
    this.#roles = roles;
    this.#lookedAtMs = roles.readAt.getTime();
    await this.#openLive(roles);
    await this.#adoptLive(roles);
    await this.#openOthers(roles);
    await this.#takeNextStep(roles);
    await this.#promoteIfReady(roles);
    await this.#retirePrevious(roles);
    await this.#closeUnwanted(roles);
  }

  /**
   * Writes down a new version that is to take the place of the live one.
   * @returns null when the versions were changed meanwhile
   */
  build(reason: string): Promise<number | null> {
    return this.#build(this.#roles, reason);
  }

  /** Whether a version was not removed yet, whichever instance has it at work. */
  async isKnown(version: number): Promise<boolean> {
    return this.#runs.has(version) || (await this.#registry.build(version)) !== undefined;
  }

  /**
   * The version that is being built from the beginning of the log, if this release can use it; null if another one has to be
   * built. One of another release that no instance builds any more is given up.
   * @throws Error when an instance of another release still builds it
   */
  async usableTarget(): Promise<number | null> {
    const roles = this.#roles;
    const { target } = roles;
    if (target === null) return null;
    if (await this.#known.isUsable(target)) {
      // One that only catches up was built earlier.
      const isKept = (await this.#registry.build(target))?.hasAnswered === true;
      return isKept ? null : target;
    }
    if (await this.#others.use(target)) {
      const { name } = this.#options.definition;
      throw new Error(`Version ${target} of ${name} is being built by instances of another release; try again later`);
    }
    await this.#giveUpTarget(roles);
    return null;
  }

  /** Lets the version answer that answered before. @throws Error when there is none any more */
  async rollBack(): Promise<number> {
    const { live, previous, target } = this.#roles;
    if (!previous || live === null)
      throw new Error(`${this.#options.definition.name} has no earlier version that is kept up to date`);
    if (!(await this.#known.isOwn(previous.version)))
      throw new Error(
        `The earlier version of ${this.#options.definition.name} is of another release or embedding model, ` +
          'which has to be used again first',
      );
    // Once it is the one that has to answer, nothing else can be done before it is open.
    if (!this.#runs.has(previous.version))
      throw new Error(
        `The earlier version of ${this.#options.definition.name} cannot be opened at the moment; try again`,
      );
    const kept = { version: live, until: new Date(this.#lookedAtMs + keepPreviousMs) };
    const isDone = await this.#registry.change(this.#roles, { live: previous.version, target, previous: kept });
    if (!isDone) throw new Error('The versions were changed by another instance at the same time; look again');
    await this.follow();
    return previous.version;
  }

  /** To be called when no look is under way any more. */
  async stop(): Promise<void> {
    await this.#opener.settled();
    await Promise.all([...this.#runs.values()].map((run) => run.stop()));
  }

  /** The database was lost, and with it everything that was written down: what an empty one gives is no answer. */
  async #startOver(): Promise<void> {
    const { deps, definition } = this.#options;
    this.#reason = 'The database of the read model was lost; it is being built anew';
    deps.logger.error({ readModel: definition.name, reason: this.#reason }, 'A read model cannot answer');
    this.#live = undefined;
    for (const run of this.#runs.values()) await run.stop();
    this.#runs.clear();
    await this.#registry.begin();
  }

  async #openLive({ live }: Roles): Promise<void> {
    if (live !== null && !this.#runs.has(live)) await this.#opener.open(live);
  }

  /**
   * What keeps another version from being opened, such as a full store, keeps neither the live one from answering nor old ones
   * from being removed, which makes room.
   */
  async #openOthers({ target, previous }: Roles): Promise<void> {
    for (const version of [previous?.version ?? null, target]) {
      if (version !== null && !this.#runs.has(version)) await this.#opener.tryToOpen(version);
    }
  }

  #failureOf(version: number | null): Unopened | undefined {
    return version === null || this.#runs.has(version) ? undefined : this.#opener.failureOf(version);
  }

  #add(run: VersionRun<E, C>): void {
    this.#runs.set(run.version, run);
    this.#newest = Math.max(this.#newest, run.version);
  }

  #takeOut(version: number): VersionRun<E, C> | undefined {
    const run = this.#runs.get(version);
    this.#runs.delete(version);
    return run;
  }

  /** Lets the live version answer as soon as it has all that the one before has: a caller may have waited for that, and reads on. */
  async #adoptLive({ live }: Roles): Promise<void> {
    const next = live === null ? undefined : this.#runs.get(live);
    if (live !== null && !next && this.#live === undefined) await this.#explainMissing(live);
    if (!next || next === this.#live) return;
    const before = this.#live;
    if (before && before.mismatch === undefined) {
      const reached = before.reached();
      if (!(await next.await(reached, adoptWaitMs))) return;
    }
    this.#live = next;
    const { deps, definition } = this.#options;
    const change = { readModel: definition.name, from: before?.version, to: next.version };
    deps.logger.info(change, 'A version of the read model answers');
  }

  async #explainMissing(live: number): Promise<void> {
    if (await this.#known.isOwn(live)) return;
    this.#reason = `The read model ${this.#options.definition.name} is being built in the form of this release`;
  }

  async #takeNextStep(roles: Roles): Promise<unknown> {
    const { name } = this.#options.definition;
    const situation = await this.#situation(roles);
    const broken = situation.answering?.mismatch;
    if (broken !== undefined) this.#reason = `${broken}; the read model ${name} is being built anew`;
    const step = nextStep(situation);
    switch (step.type) {
      case 'wait':
        if (step.because !== undefined) this.#reason = `The read model ${name} ${step.because}`;
        return;
      case 'build':
        return this.#build(roles, step.reason);
      case 'give up target':
        return this.#giveUpTarget(roles);
      case 'take back previous':
        return this.#takeBackPrevious(roles);
    }
  }

  async #situation({ live, target, previous }: Roles): Promise<Situation> {
    return {
      live: await this.#known.of(live),
      target: await this.#known.of(target),
      previous: await this.#known.of(previous?.version ?? null),
      answering: this.#live ? { mismatch: this.#live.mismatch } : null,
    };
  }

  /** Lets the version that answered before catch up and answer again. */
  async #takeBackPrevious(roles: Roles): Promise<void> {
    const { deps, definition } = this.#options;
    const version = roles.previous?.version ?? null;
    const taken = { ...roles, target: version, previous: null };
    // Earlier releases did not, and an instance may have ended before it did.
    if (version !== null) await this.#registry.noteAnswering(version);
    if (!(await this.#registry.change(roles, taken))) return;
    this.#roles = taken;
    const change = { readModel: definition.name, version };
    deps.logger.info(change, 'A version that was kept catches up to answer again');
    await this.#openOthers(taken);
  }

  async #giveUpTarget(roles: Roles): Promise<void> {
    const { deps, definition } = this.#options;
    const { target } = roles;
    if (target === null || !(await this.#registry.change(roles, { ...roles, target: null }))) return;
    this.#roles = { ...roles, target: null };
    // The instance that has begun it may still go on: its number is not given again.
    this.#newest = Math.max(this.#newest, target);
    deps.logger.info({ readModel: definition.name, version: target }, 'A version is not needed any more');
    await this.#remover.remove(target);
  }

  /** @returns null when the versions were changed meanwhile */
  async #build(roles: Roles, reason: string): Promise<number | null> {
    const { deps, definition } = this.#options;
    const kept = ((await definition.keptOutside?.()) ?? []).map(({ version }) => version);
    const version = await this.#registry.add(definition.form, Math.max(this.#newest, ...kept));
    if (!(await this.#registry.change(roles, { ...roles, target: version }))) {
      await this.#registry.forget(version);
      return null;
    }
    this.#newest = version;
    this.#opener.noteBegun(version);
    this.#roles = { ...roles, target: version };
    const { name, stream } = definition;
    const events = await headOf(openLog(deps.connection, stream));
    deps.logger.info({ readModel: name, version, reason, events }, 'Building a version of a read model');
    await this.#openOthers(this.#roles);
    return version;
  }

  async #promoteIfReady(roles: Roles): Promise<void> {
    const target = roles.target === null ? undefined : this.#runs.get(roles.target);
    if (!target || target.mismatch !== undefined || target.form !== this.#options.definition.form) return;
    if (!(await target.isUpToDate(closeEnoughMs))) return;
    const isWhole = this.version !== undefined && this.version === roles.live;
    // Instances of the release before answer from it until they are replaced.
    const isOfOtherRelease = roles.live !== null && !(await this.#known.isOwn(roles.live));
    const isReplaced = isWhole && this.#live?.form !== target.form;
    const until = new Date(this.#lookedAtMs + (isReplaced ? keepReplacedMs : keepPreviousMs));
    const previous = roles.live !== null && (isWhole || isOfOtherRelease) ? { version: roles.live, until } : null;
    const replaced = [roles.live, roles.previous?.version ?? null].filter((version) => version !== null);
    if (!(await this.#registry.change(roles, { live: target.version, target: null, previous }))) return;
    this.#roles = { live: target.version, target: null, previous };
    await this.#registry.noteAnswering(target.version);
    await this.#adoptLive(this.#roles);
    for (const version of replaced) if (version !== previous?.version) await this.#removeUnlessAnswering(version);
  }

  /** Instances of another release may still answer from it; then it is removed as an abandoned one when they have ended. */
  async #removeUnlessAnswering(version: number): Promise<void> {
    const isKept = !(await this.#known.isUsable(version)) && (await this.#others.use(version));
    if (!isKept) await this.#remover.remove(version);
  }

  async #retirePrevious(roles: Roles): Promise<void> {
    const { previous } = this.#roles;
    if (!previous || this.#roles !== roles) return;
    const isBroken = this.#runs.get(previous.version)?.mismatch !== undefined;
    // Another release has replaced it, whose instances may have ended since.
    if (!isBroken && previous.version === this.#live?.version) return;
    if (!isBroken && previous.until.getTime() > this.#lookedAtMs && !(await this.#isLeft(previous))) return;
    if (!(await this.#registry.change(roles, { ...roles, previous: null }))) return;
    this.#roles = { ...roles, previous: null };
    await this.#remover.remove(previous.version);
  }

  /** Whether a version that this release cannot use is not used by another one either. What is erased stays in it. */
  async #isLeft(previous: NonNullable<Roles['previous']>): Promise<boolean> {
    const replacedAt = previous.until.getTime() - keepPreviousMs;
    const isRecent = this.#lookedAtMs - replacedAt < keepReplacedMs;
    const isKept = isRecent || this.#runs.has(previous.version) || (await this.#known.isUsable(previous.version));
    if (isKept) this.#others.forget(previous.version);
    return !isKept && (await this.#others.unusedMs(previous.version)) >= endedMs;
  }

  /** Stops versions that are not wanted any more, and removes those that were begun in vain. */
  async #closeUnwanted(roles: Roles): Promise<void> {
    const { live, target, previous } = this.#roles;
    if (this.#roles !== roles) return;
    const wanted = [live, target, previous?.version];
    for (const [version, run] of this.#runs) {
      if (wanted.includes(version) || run === this.#live) continue;
      this.#runs.delete(version);
      await run.stop();
    }
    if (this.version !== undefined) await this.#remover.removeUnknown(this.version);
    await this.#remover.removeAbandoned(this.#live?.version);
  }
}
