import type { DomainEvent, EventCatalog } from '@mneme/contracts';
import type { NatsConnection, Subscription } from '@nats-io/nats-core';
import type { SessionPool } from '../mongo/sessions.ts';
import type { LaneCheckpoints } from './checkpoints.ts';
import type { Deferrals } from './deferrals.ts';
import type { Deferral, Lane } from './lane.ts';
import type { LaneAccess } from './lane-access.ts';
import type { LanePositions } from './lane-positions.ts';
import { answerLane, laneSubject } from './lane-requests.ts';
import type { HeldLane, LaneLeases } from './leases.ts';

export interface LaneHolderOptions<E extends DomainEvent> {
  readonly connection: NatsConnection;
  /** Such as `memory@3`. */
  readonly key: string;
  readonly catalog: EventCatalog<E>;
  readonly leases: LaneLeases;
  readonly checkpoints: LaneCheckpoints;
  readonly deferrals: Deferrals;
  readonly sessions: Pick<SessionPool, 'endOthers'>;
  readonly positions: LanePositions;
  readonly access: LaneAccess;
  /** Forgets what the store remembers of a lane. */
  readonly forgetLane: (lane: number) => void;
  /** Everything up to its position was handed to the lanes. */
  readonly router: { readonly position: number };
}

/** How long another instance, perhaps of a newer release, has to take a lane that this one cannot go on with. */
const giveAwayMs = 2_000;

/** Opens the lanes whose leases this instance gets, and closes those that it loses. */
export class LaneHolder<E extends DomainEvent> {
  readonly #options: LaneHolderOptions<E>;
  readonly #answering = new Map<number, Subscription>();
  #foreignDeferrals = new Map<string, Deferral>();

  constructor(options: LaneHolderOptions<E>) {
    this.#options = options;
  }

  /** The aggregates that wait in lanes of other instances, as of the last renewal. */
  get foreignDeferrals(): readonly Deferral[] {
    return [...this.#foreignDeferrals.values()];
  }

  /** Why an aggregate cannot be answered for up to a sequence; undefined when it can, or only waits. */
  deferralOf(aggregate: string, sequence: number): Deferral | undefined {
    const lane = this.#options.positions.laneOf(aggregate);
    const deferral = lane?.isOwned ? lane.deferrals.get(aggregate) : this.#foreignDeferrals.get(aggregate);
    return deferral && deferral.from <= sequence ? deferral : undefined;
  }

  /** Renews the leases, and opens and closes lanes accordingly. */
  async renew(): Promise<void> {
    const { leases, deferrals, positions } = this.#options;
    const { gained, lost } = await leases.renew();
    if (lost.length > 0) {
      this.#close(lost);
      await leases.release(lost.filter((lane) => !gained.some((each) => each.lane === lane)));
    }
    if (gained.length > 0) await this.#open(gained);
    const isForeign = ({ lane }: Deferral) => !positions.lanes[lane]?.isOwned;
    // What waits in the lanes of this instance is known.
    const stored = positions.lanes.every(({ isOwned }) => isOwned) ? [] : await deferrals.list();
    this.#foreignDeferrals = new Map(stored.filter(isForeign).map((deferral) => [deferral.aggregate, deferral]));
    this.#takeUpKnown();
  }

  /**
   * Closes a lane that another instance has taken over, or whose checkpoint is not where it was left, and gives back its
   * lease. It is opened again from its checkpoint if this instance gets the lease once more.
   */
  giveUp(lane: Lane): void {
    this.#close([lane.index]);
    this.#options.leases.release([lane.index]).catch(() => undefined);
  }

  /** Leaves a lane to another instance. */
  giveAway(lane: Lane): void {
    this.#options.leases.avoid([lane.index], giveAwayMs);
    this.giveUp(lane);
  }

  /** Begins to read a lane by itself, where it is behind the router. */
  beginReading(lane: Lane): void {
    lane.isReading = lane.readUpTo < this.#options.router.position;
  }

  /** Ends those who wait for a lane, and answers no more. The leases go on. */
  stop(): void {
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
    }
  }

  #answerFor(lane: Lane): void {
    const { connection, key, access } = this.#options;
    this.#answering.get(lane.index)?.unsubscribe();
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

  /**
   * Aggregates that wait for a release which knows their events are taken up by this one, if it does: here, or after
   * asking the instance that holds their lane for it.
   */
  #takeUpKnown(): void {
    const { catalog, positions, leases, access } = this.#options;
    const isKnown = ({ kind, type }: Deferral) => kind === 'unknown-type' && catalog.definitions.has(type ?? '');
    for (const lane of positions.lanes) {
      if (!lane.isOwned || lane.isInWork) continue;
      for (const deferral of lane.deferrals.values()) {
        if (isKnown(deferral)) access.retryHere(lane, deferral.aggregate).catch(() => undefined);
      }
    }
    for (const deferral of this.#foreignDeferrals.values()) {
      const lane = positions.lanes[deferral.lane];
      if (!lane || !isKnown(deferral)) continue;
      leases.claim([lane.index]);
      access.askToYield(lane).catch(() => undefined);
    }
  }
}
