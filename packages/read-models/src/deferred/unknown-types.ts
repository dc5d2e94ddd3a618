import type { DomainEvent, EventCatalog } from '@mneme/contracts';
import { isKnown } from '@mneme/event-store';
import type { Commit, ReadModelLogger } from '../definition.ts';
import type { Deferrals } from '../lanes/deferrals.ts';
import type { Deferral, Lane } from '../lanes/lane.ts';
import type { LaneAccess } from '../lanes/lane-access.ts';
import type { LanePositions } from '../lanes/lane-positions.ts';
import type { LaneLeases } from '../lanes/leases.ts';

export interface UnknownTypesOptions<E extends DomainEvent> {
  /** Such as `memory@3`. */
  readonly key: string;
  readonly catalog: Pick<EventCatalog<E>, 'definitions'>;
  readonly positions: Pick<LanePositions, 'lanes'>;
  readonly leases: Pick<LaneLeases, 'claim'>;
  readonly access: Pick<LaneAccess, 'retryHere' | 'askToYield'>;
  readonly deferrals: Pick<Deferrals, 'put'>;
  /** Writes under the checkpoint of a lane, which stays where it is. */
  readonly commitOf: (lane: Lane) => Commit;
  /** Called when a lane can be written by others again. */
  readonly onFree: () => void;
  readonly logger: ReadModelLogger;
}

/** How often events of an aggregate are tried before it waits for an operator. */
const maxTries = 4;
/** How long a lane is waited for until it is free, in milliseconds. */
const longestWaitMs = 10_000;

/**
 * The aggregates that wait for a release which knows the types, and the versions of types, of their events. This instance takes them up if it does:
 * here, or after asking the instance that holds their lane for it.
 */
export class UnknownTypes<E extends DomainEvent = DomainEvent> {
  readonly #options: UnknownTypesOptions<E>;
  /** How often the first event that an aggregate waits with was tried, by aggregate. */
  readonly #tries = new Map<string, { readonly from: number; readonly count: number }>();
  readonly #trying = new Set<string>();

  constructor(options: UnknownTypesOptions<E>) {
    this.#options = options;
  }

  /** Whether an aggregate waits in an open lane for a type that this release does not know. */
  isWaiting(lane: Lane): boolean {
    const isWaiting = (deferral: Deferral) => deferral.kind === 'unknown-type' && !this.#isKnown(deferral);
    return [...lane.deferrals.values()].some(isWaiting);
  }

  /**
   * Takes up what this release knows; it goes on by itself. A lane is claimed only as long as something is to be taken up
   * in it.
   * @param foreign what waits in lanes of other instances
   */
  takeUp(foreign: readonly Deferral[]): void {
    const { positions, leases, access } = this.#options;
    const open = positions.lanes.filter(({ isOwned }) => isOwned);
    const here = open.flatMap((lane) => [...lane.deferrals.values()].filter((each) => this.#isKnown(each)));
    const elsewhere = new Set(foreign.filter((each) => this.#isKnown(each)).map(({ lane }) => lane));
    leases.claim([...here.map(({ lane }) => lane), ...elsewhere]);
    // As of now: a retry occupies its lane at once, and the others of the lane wait for it.
    const free = open.filter(({ isInWork }) => !isInWork);
    for (const deferral of here) {
      const lane = free.find(({ index }) => index === deferral.lane);
      if (lane && !this.#trying.has(deferral.aggregate)) void this.#tryHere(lane, deferral.aggregate);
    }
    for (const index of elsewhere) {
      const lane = positions.lanes[index];
      if (lane) access.askToYield(lane).catch(() => undefined);
    }
  }

  #isKnown({ kind, type, typeVersion }: Deferral): boolean {
    return kind === 'unknown-type' && isKnown(this.#options.catalog, type ?? '', typeVersion ?? 1);
  }

  /** Retries an aggregate; one that keeps failing waits for an operator from then on. */
  async #tryHere(lane: Lane, aggregate: string): Promise<void> {
    const { key, access, logger } = this.#options;
    const { opening } = lane;
    this.#trying.add(aggregate);
    try {
      const { done, reason, isFault } = await access.retryHere(lane, aggregate);
      const deferral = lane.deferrals.get(aggregate);
      if (done || !deferral || !lane.isOwned || lane.opening !== opening) return void this.#tries.delete(aggregate);
      const about = { readModel: key, aggregate, sequence: deferral.from, reason };
      logger.warn(about, 'Events that waited for a newer release still cannot be applied');
      if (!isFault || lane.failure) return;
      if (this.#countTry(deferral) >= maxTries)
        await this.#giveUp(lane, deferral, reason ?? 'It was not applied in time');
    } catch (error) {
      logger.warn({ err: error, readModel: key, aggregate }, 'Retrying a deferred aggregate failed');
    } finally {
      this.#trying.delete(aggregate);
    }
  }

  #countTry({ aggregate, from }: Deferral): number {
    const before = this.#tries.get(aggregate);
    const count = before?.from === from ? before.count + 1 : 1;
    this.#tries.set(aggregate, { from, count });
    return count;
  }

  /** Lets an aggregate wait for an operator, unless it was retried meanwhile, or the lane is not free for long. */
  async #giveUp(lane: Lane, deferral: Deferral, reason: string): Promise<void> {
    const { key, deferrals, commitOf, onFree, logger } = this.#options;
    const { aggregate, from: sequence, kind } = deferral;
    const release = await lane.occupyWhenFree(longestWaitMs);
    if (!release) return;
    try {
      const now = lane.deferrals.get(aggregate);
      if (!lane.isOwned || now?.kind !== kind || now.from !== sequence) return;
      const failed: Deferral = { ...deferral, kind: 'failed', reason };
      await commitOf(lane)(Number.POSITIVE_INFINITY, (session) => deferrals.put(failed, session));
      lane.deferrals.set(aggregate, failed);
      this.#tries.delete(aggregate);
      logger.error({ readModel: key, aggregate, sequence, reason }, 'A deferred aggregate waits for an operator');
    } finally {
      release();
      onFree();
    }
  }
}
