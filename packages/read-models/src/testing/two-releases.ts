import { expect } from 'vitest';
import { endedMs, type KnownVersion, leftMs, nextStep } from '../versions/next-step.ts';
import { OtherReleases, silentMs } from '../versions/other-releases.ts';
import type { Roles } from '../versions/registry.ts';

interface Made {
  readonly form: string;
  readonly begunAt: number;
  /** For how long it has to be worked on until it is up to date. */
  workMs: number;
  isBroken: boolean;
  /** When those that have it at work, or were killed, were last seen. */
  readonly seen: Map<Instance, number>;
}

/** Two instances of each of two releases, what they share, and a clock; without servers. */
export class TwoReleases {
  now = 0;
  changes = 0;
  roles: Roles = { live: null, target: null, previous: null };
  readonly made = new Map<number, Made>();
  readonly instances = ['1', '1', '2', '2'].map((form) => new Instance(this, form));
  #numbers = 0;

  change(by: Instance, from: Roles, to: Roles): boolean {
    const { live, target, previous } = this.roles;
    if (from.live !== live || from.target !== target || from.previous?.version !== previous?.version) return false;
    [this.roles, this.changes] = [to, this.changes + 1];
    // Killed before it does what was to follow.
    if (by.isDoomed) by.end(false);
    return by.isRunning;
  }

  isIn = (version: number) =>
    Object.values({ ...this.roles, previous: this.roles.previous?.version }).includes(version);
  isBeingMade = async (version: number, ms: number) => this.now - (this.made.get(version)?.begunAt ?? -ms) < ms;
  isAtWork = async (version: number, ms: number) =>
    [...(this.made.get(version)?.seen.values() ?? [])].some((at) => this.now - at < ms);

  add(form: string): number {
    this.#numbers += 1;
    this.made.set(this.#numbers, { form, begunAt: this.now, workMs: 20_000, isBroken: false, seen: new Map() });
    return this.#numbers;
  }

  remove(by: Instance, version: number): void {
    const others = this.instances.filter((each) => each.form !== by.form && each.answers === version);
    if (this.made.get(version)?.isBroken === false) expect(others, 'that answer from what is removed').toEqual([]);
    this.made.delete(version);
  }

  async pass(ms: number): Promise<void> {
    const stepMs = ms > 100_000 ? 5_000 : 1_000;
    for (const end = this.now + ms; this.now < end; ) {
      this.now += stepMs;
      for (const each of this.instances) each.work(stepMs);
      await Promise.all(this.instances.filter(({ isRunning }) => isRunning).map((each) => each.look()));
    }
  }
}

class Instance {
  readonly form: string;
  isRunning = false;
  /** Whether it is killed at its next change of the roles. */
  isDoomed = false;
  answers: number | null = null;
  #runs = new Set<number>();
  #others: OtherReleases;
  readonly #world: TwoReleases;

  constructor(world: TwoReleases, form: string) {
    this.form = form;
    this.#world = world;
    this.#others = new OtherReleases(world, () => world.now);
  }

  end(isOrderly: boolean): void {
    for (const { seen } of isOrderly ? this.#world.made.values() : []) seen.delete(this);
    [this.isRunning, this.isDoomed, this.answers, this.#runs] = [false, false, null, new Set()];
    this.#others = new OtherReleases(this.#world, () => this.#world.now);
  }

  work(ms: number): void {
    for (const version of this.#runs) {
      const made = this.#world.made.get(version);
      if (made) made.workMs = Math.max(0, made.workMs - ms);
      made?.seen.set(this, this.#world.now);
    }
  }

  /** As `Versions` does it. */
  async look(): Promise<void> {
    const { made, roles } = this.#world;
    const { live, target, previous } = roles;
    for (const version of [live, target, previous?.version ?? 0])
      if (made.get(version ?? 0)?.form === this.form) this.#runs.add(version ?? 0);
    if (live !== null && this.#runs.has(live)) this.answers = live;
    await this.#takeStep(roles);
    if (this.isRunning) await this.#promote(roles);
    if (this.isRunning && previous && this.#world.roles === roles) await this.#retire(roles, previous);
    for (const version of this.isRunning ? [...this.#runs, ...made.keys()] : []) {
      if (this.#world.isIn(version) || version === this.answers) continue;
      this.#runs.delete(version);
      const isUsed =
        (await this.#world.isBeingMade(version, silentMs)) || (await this.#world.isAtWork(version, silentMs));
      if (!isUsed && !this.#world.isIn(version)) this.#world.remove(this, version);
    }
  }

  #mismatchOf(version: number): string | undefined {
    return this.#runs.has(version) && this.#world.made.get(version)?.isBroken !== false ? 'It is gone' : undefined;
  }

  async #known(version: number | null): Promise<KnownVersion | null> {
    if (version === null) return null;
    const form = this.#runs.has(version) ? this.form : this.#world.made.get(version)?.form;
    if (form === this.form) return { kind: 'own', mismatch: this.#mismatchOf(version), unusedMs: 0 };
    return { kind: form === undefined ? 'removed' : 'foreign', unusedMs: await this.#others.unusedMs(version) };
  }

  async #takeStep(roles: Roles): Promise<void> {
    const world = this.#world;
    const previous = roles.previous?.version ?? null;
    const { type } = nextStep({
      live: await this.#known(roles.live),
      target: await this.#known(roles.target),
      previous: await this.#known(previous),
      answering: this.answers === null ? null : { mismatch: this.#mismatchOf(this.answers) },
    });
    if (type === 'build') world.change(this, roles, { ...roles, target: world.add(this.form) });
    if (type === 'take back previous') world.change(this, roles, { ...roles, target: previous, previous: null });
    if (type !== 'give up target' || !world.change(this, roles, { ...roles, target: null })) return;
    world.remove(this, roles.target ?? 0);
  }

  async #promote(roles: Roles): Promise<void> {
    const { live, target } = roles;
    if (target === null || !this.#runs.has(target) || this.#world.made.get(target)?.workMs !== 0) return;
    if (this.#mismatchOf(target) !== undefined) return;
    const isKept = live !== null && this.#mismatchOf(live) === undefined;
    const previous = isKept ? { version: live, until: new Date(this.#world.now + leftMs) } : null;
    if (!this.#world.change(this, roles, { live: target, target: null, previous })) return;
    for (const version of [live ?? 0, roles.previous?.version ?? 0]) {
      const isOther = this.#world.made.get(version)?.form !== this.form;
      if (version !== previous?.version && !(isOther && (await this.#others.use(version))))
        this.#world.remove(this, version);
    }
  }

  /** Those of another release that it does not use any more. After 15 minutes they go in any case, which is left out here. */
  async #retire(roles: Roles, { version, until }: NonNullable<Roles['previous']>): Promise<void> {
    if (version === this.answers) return;
    const isKept = this.#world.now - (until.getTime() - leftMs) < 60_000 || this.#runs.has(version);
    if (isKept) this.#others.forget(version);
    if (isKept || (await this.#others.unusedMs(version)) < endedMs) return;
    if (this.#world.change(this, roles, { ...roles, previous: null })) this.#world.remove(this, version);
  }
}
