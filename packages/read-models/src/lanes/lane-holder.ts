import type { NatsConnection, Subscription } from '@nats-io/nats-core';
import type { SessionPool } from '../mongo/sessions.ts';
import type { LaneCheckpoints } from './checkpoints.ts';
import type { Deferrals } from './deferrals.ts';
import type { Deferral, Lane } from './lane.ts';
import type { LaneAccess } from './lane-access.ts';
import type { LanePositions } from './lane-positions.ts';
import { answerLane, laneSubject } from './lane-requests.ts';
import type { HeldLane, LaneLeases } from './leases.ts';

/** What waits for a release that knows the type of an event. */
interface NewerReleases {
  /** Applies what waits for types that this release knows. @param foreign what waits in lanes of other instances */
  takeUp(foreign: readonly Deferral[]): void;
  /** Whether an aggregate of the lane waits for a type that this release does not know. */
  isWaiting(lane: Lane): boolean;
}

export interface LaneHolderOptions {
  readonly connection: NatsConnection;
  /** Such as `memory@3`. */
  readonly key: string;
  readonly leases: LaneLeases;
  readonly checkpoints: LaneCheckpoints;
  readonly deferrals: Deferrals;
  readonly sessions: Pick<SessionPool, 'endOthers'>;
  readonly positions: LanePositions;
  readonly access: Pick<LaneAccess, 'answer'>;
  readonly unknownTypes: NewerReleases;
  /** Forgets what the store remembers of a lane. */
  readonly forgetLane: (lane: number) => void;
  /** Everything up to its position was handed to the lanes. */
  readonly router: { readonly position: number };
}

/** How long another instance, perhaps of a newer release, has to take a lane that this one cannot go on with. */
const giveAwayMs = 2_000;
/** The number of renewals within which a held lane is open, unless something is wrong. */
const renewalsToOpen = 2;

/** Opens the lanes whose leases this instance gets, and closes those that it loses. */
export class LaneHolder {
  readonly #options: LaneHolderOptions;
  readonly #answering = new Map<number, Subscription>();
  #foreignDeferrals = new Map<string, Deferral>();
  /** How many renewals in a row have found a lane held and not open. */
  #closed = new Map<number, number>();
  #isStopped = false;

  constructor(options: LaneHolderOptions) {
    this.#options = options;
  }

  /** The aggregates that wait in lanes of other instances, as of the last renewal or an answer since. */
  get foreignDeferrals(): readonly Deferral[] {
    return [...this.#foreignDeferrals.values()];
  }

  /** Lanes whose events no instance applies: this one holds them, and could not open them for longer than a moment. */
  get closedLanes(): readonly number[] {
    return [...this.#closed].filter(([, renewals]) => renewals > renewalsToOpen).map(([lane]) => lane);
  }

  /** The aggregates that wait in a lane. */
  deferralsIn(lane: Lane): readonly Deferral[] {
    return lane.isOwned
      ? [...lane.deferrals.values()]
      : this.foreignDeferrals.filter((deferral) => deferral.lane === lane.index);
  }

  /** To be called with what another instance tells of its lane; it may have come about since the last renewal. */
  noteForeign(deferrals: readonly Deferral[]): void {
    for (const deferral of deferrals) {
      if (this.#isForeign(deferral)) this.#foreignDeferrals.set(deferral.aggregate, deferral);
    }
  }

  /** Why an aggregate cannot be answered for up to a sequence; undefined when it can, or only waits. */
  deferralOf(aggregate: string, sequence: number): Deferral | undefined {
    const lane = this.#options.positions.laneOf(aggregate);
    const deferral = lane?.isOwned ? lane.deferrals.get(aggregate) : this.#foreignDeferrals.get(aggregate);
    return deferral && deferral.from <= sequence ? deferral : undefined;
  }

  /** Renews the leases, and opens and closes lanes accordingly. */
  async renew(): Promise<void> {
    const { leases, deferrals, positions, unknownTypes } = this.#options;
    const { gained, lost } = await leases.renew((held) => this.#isOpen(held));
    this.#closed = new Map(gained.map(({ lane }) => [lane, (this.#closed.get(lane) ?? 0) + 1]));
    if (lost.length > 0) {
      this.#close(lost);
      await leases.release(lost.filter((lane) => !gained.some((each) => each.lane === lane)));
    }
    if (gained.length > 0) await this.#open(gained);
    // What waits in the lanes of this instance is known.
    const stored = positions.lanes.every(({ isOwned }) => isOwned) ? [] : await deferrals.list();
    const foreign = stored.filter((deferral) => this.#isForeign(deferral));
    this.#foreignDeferrals = new Map(foreign.map((deferral) => [deferral.aggregate, deferral]));
    if (!leases.isAside) unknownTypes.takeUp(foreign);
  }

  /**
   * Closes a lane that another instance has taken over, or whose checkpoint is not where it was left, and gives back its
   * lease. It is opened again from its checkpoint if this instance gets the lease once more.
   */
  giveUp(lane: Lane): void {
    this.#close([lane.index]);
    this.#options.leases.release([lane.index]).catch(() => undefined);
  }

  /**
   * Leaves a lane to another instance if something waits in it for a type that this release does not know. An instance that
   * knows the type could do nothing for it that this one cannot.
   * @returns whether it is left
   */
  giveAway(lane: Lane): boolean {
    if (!this.#options.unknownTypes.isWaiting(lane)) return false;
    this.#options.leases.avoid([lane.index], giveAwayMs);
    this.giveUp(lane);
    return true;
  }

  /** Begins to read a lane by itself, where it is behind the router. */
  beginReading(lane: Lane): void {
    lane.isReading = lane.readUpTo < this.#options.router.position;
  }

  /** Ends those who wait for a lane, and answers no more. The leases go on. */
  stop(): void {
    this.#isStopped = true;
    for (const { tracker } of this.#options.positions.lanes) tracker.close();
    for (const subscription of this.#answering.values()) subscription.unsubscribe();
  }

  async #open(gained: readonly HeldLane[]): Promise<void> {
    const { sessions, leases, checkpoints, deferrals, positions } = this.#options;
    await sessions.endOthers(await leases.instances());
    const fenced = await checkpoints.fence(gained);
    const known = await deferrals.list();
    for (const { lane: index, position } of fenced) {
      const lane = positions.lanes[index];
      const held = gained.find((each) => each.lane === index);
      if (!lane || !held) continue;
      this.#options.forgetLane(index);
      lane.open(position, held.epoch);
      lane.deferrals.clear();
      for (const deferral of known) if (deferral.lane === index) lane.deferrals.set(deferral.aggregate, deferral);
      this.beginReading(lane);
      this.#answerFor(lane);
      this.#closed.delete(index);
    }
  }

  #isOpen({ lane: index, epoch }: HeldLane): boolean {
    const lane = this.#options.positions.lanes[index];
    return lane?.isOwned === true && lane.epoch === epoch;
  }

  #isForeign({ lane }: Deferral): boolean {
    return !this.#options.positions.lanes[lane]?.isOwned;
  }

  #answerFor(lane: Lane): void {
    const { connection, key, access } = this.#options;
    this.#answering.get(lane.index)?.unsubscribe();
    if (this.#isStopped) return;
    const subscription = answerLane(connection, laneSubject(key, lane.index), (request) =>
      access.answer(lane, request),
    );
    this.#answering.set(lane.index, subscription);
  }

  #close(lanes: readonly number[]): void {
    for (const index of lanes) {
      this.#options.positions.lanes[index]?.close();
      this.#options.forgetLane(index);
      this.#answering.get(index)?.unsubscribe();
      this.#answering.delete(index);
    }
  }
}
