import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent } from '@mneme/contracts';
import { eventIdOf, headOf, type Log, nextReadable, type StoredMessage, timeOf, typeOf } from '@mneme/event-store';
import { LineLimit } from '@mneme/workers/line-limit';
import { within } from '@mneme/workers/waits';
import type { NatsConnection } from '@nats-io/nats-core';
import type { ReadModelDefinition, ReadModelLogger } from '../definition.ts';
import { reasonOf } from '../errors.ts';
import { type Feed, startFeed } from '../log/feed.ts';
import type { SeenEvent } from './checkpoints.ts';
import type { Lane } from './lane.ts';

export interface RouterOptions<E extends DomainEvent> {
  readonly connection: NatsConnection;
  readonly definition: Pick<ReadModelDefinition<E, unknown>, 'name' | 'stream' | 'subjects' | 'lanes'>;
  readonly log: Log;
  readonly lanes: readonly Lane[];
  /** Called when a lane has got messages, or has to begin to read by itself. */
  readonly onQueued: (lane: Lane) => void;
  /** Called when lanes that wait for nothing have come further. */
  readonly onAdvanced: () => void;
  readonly logger: ReadModelLogger;
}

const capacity = { messages: 1_000, bytes: 16 * 1024 * 1024 };
const idleMs = 250;
/** While no caller waits, only one of this many idle rounds looks at the log. */
const quietRounds = 20;
/** The longest time that a full lane without subjects of its own holds up the others, in milliseconds. */
const patienceMs = 1_000;
/** Unless its events are older, in milliseconds: in a rebuild lanes wait for each other, which is faster. */
const recentMs = 60_000;
/** How many lanes without subjects of their own are read by themselves at once: each reads the whole stream. */
const maxReadersOfAll = 4;
/** Where a message belongs was not found out before everything was stopped. */
const stopped = Symbol('stopped');

/** Reads the stream once, in order, and hands its messages to the lanes that this instance holds. */
export class Router<E extends DomainEvent> {
  readonly #options: RouterOptions<E>;
  readonly #failures = new LineLimit();
  #feed: Feed | undefined;
  #running: Promise<void> = Promise.resolve();
  #position = 0;
  #lastEvent: SeenEvent | null = null;
  #trouble: string | undefined;
  #isStopped = false;

  constructor(options: RouterOptions<E>) {
    this.#options = options;
  }

  /** Everything up to this sequence was handed to the lanes. */
  get position(): number {
    return this.#position;
  }

  /** The last message that was seen. */
  get lastEvent(): SeenEvent | null {
    return this.#lastEvent;
  }

  /** Why no message can be handed on at the moment; undefined when all is well. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  start(after: number): void {
    const { connection, definition, logger } = this.#options;
    this.#position = after;
    const { stream, name, subjects: filterSubject = '>' } = definition;
    this.#feed = startFeed({ connection, stream, name, filterSubject, capacity, logger }, after);
    this.#running = this.#run(this.#feed);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const lane of this.#options.lanes) lane.stopWaiting();
    await this.#feed?.stop();
    await this.#running;
  }

  async #run(feed: Feed): Promise<void> {
    const gaps = new GapSearch(this.#options.log, this.#options.definition.subjects ?? '>');
    for (let idleRounds = 0; !feed.hasEnded(); ) {
      const messages = await feed.take(capacity, idleMs);
      idleRounds = messages.length === 0 ? idleRounds + 1 : 0;
      for (const message of messages) if (!(await this.#hand(message))) return;
      if (messages.length > 0) this.#options.onAdvanced();
      else if (this.#isAwaited() || idleRounds % quietRounds === 0) await this.#closeGap(gaps, feed);
    }
  }

  #isAwaited(): boolean {
    return this.#options.lanes.some(({ tracker }) => tracker.hasWaiters());
  }

  /** @returns false when everything is stopped and the message could not be handed to its lane */
  async #hand(message: StoredMessage): Promise<boolean> {
    const { lanes, definition, onQueued } = this.#options;
    const found = definition.lanes.aggregateOf(message);
    const aggregate = found instanceof Promise ? await found.catch(() => this.#untilKnown(message)) : found;
    if (aggregate === stopped) return false;
    const lane = aggregate === undefined ? undefined : lanes[definition.lanes.laneOf(aggregate)];
    if (lane?.isOwned && aggregate !== undefined) {
      await this.#untilRoom(lane, message);
      if (this.#isStopped) return false;
      if (lane.isReading) lane.lastUnread = message.sequence;
      else if (message.sequence > lane.readUpTo) this.#queue(lane, { message, aggregate, type: typeOf(message) });
      onQueued(lane);
    }
    this.#position = message.sequence;
    const id = eventIdOf(message);
    if (id) this.#lastEvent = { sequence: message.sequence, id };
    return true;
  }

  #queue(lane: Lane, queued: Parameters<Lane['push']>[0]): void {
    // What was reached while the lane was idle stays reached.
    if (lane.isIdle && this.#position > lane.tracker.position()) lane.tracker.moveTo(this.#position);
    lane.push(queued);
  }

  /** A full lane is read by itself, so that it does not hold up the others; see the constants for one without own subjects. */
  async #untilRoom(lane: Lane, message: StoredMessage): Promise<void> {
    if (!lane.isFull || lane.isReading) return;
    const { lanes, definition } = this.#options;
    const isWaiting = () => lane.isFull && lane.isOwned && !lane.failure && !this.#isStopped;
    if (!definition.lanes.subjectOf) {
      const until = performance.now() + patienceMs;
      const isRecent = Date.now() - (timeOf(message) ?? 0) < recentMs;
      const mayRead = () =>
        isRecent && performance.now() >= until && lanes.filter(({ isReading }) => isReading).length < maxReadersOfAll;
      while (isWaiting() && !mayRead()) await within(lane.untilTaken(), patienceMs);
    }
    if (lane.isFull && lane.isOwned && !this.#isStopped) lane.isReading = true;
  }

  /** The aggregate of a message may have to be looked up in the log, which may be away. Nothing else goes on until it is found. */
  async #untilKnown(message: StoredMessage): Promise<string | typeof stopped | undefined> {
    const { definition, logger } = this.#options;
    const { sequence } = message;
    while (!this.#isStopped) {
      await pause(idleMs);
      try {
        const aggregate = await definition.lanes.aggregateOf(message);
        this.#trouble = undefined;
        return aggregate;
      } catch (error) {
        this.#trouble = `It cannot find out where event ${sequence} belongs: ${reasonOf(error)}`;
        const about = { err: error, readModel: definition.name, sequence };
        this.#failures.write((omitted) =>
          logger.warn({ ...about, ...omitted }, 'Waiting to find out where an event belongs'),
        );
      }
    }
    return stopped;
  }

  async #closeGap(gaps: GapSearch, feed: Feed): Promise<void> {
    const found = await gaps.look(this.#position).catch(() => undefined);
    if (found?.stalledBefore !== undefined) {
      this.#options.logger.warn(
        { readModel: this.#options.definition.name, after: this.#position, next: found.stalledBefore },
        'The consumer of the event log stopped delivering messages and is recreated',
      );
      feed.seek(found.stalledBefore - 1);
    }
    if (found?.emptyUpTo === undefined || found.emptyUpTo <= this.#position) return;
    this.#position = found.emptyUpTo;
    this.#options.onAdvanced();
  }
}

/** Looks for sequences without messages that concern the read model: of events that were erased, or of other subjects. */
class GapSearch {
  readonly #log: Log;
  readonly #subjects: string;
  #missing: number | undefined;

  constructor(log: Log, subjects: string) {
    this.#log = log;
    this.#subjects = subjects;
  }

  async look(position: number): Promise<{ emptyUpTo?: number; stalledBefore?: number }> {
    // The head first: an event that comes in between the two questions lies beyond it.
    const head = await headOf(this.#log);
    if (head <= position) return {};
    const next = await nextReadable(this.#log, this.#subjects, position + 1);
    if (next === undefined || next > head) return { emptyUpTo: head };
    // Once may be bad luck with the moment of looking; twice the same means that the feed brings nothing any more, such as
    // before a file that cannot be read.
    const isStalled = this.#missing === next;
    this.#missing = isStalled ? undefined : next;
    return isStalled ? { stalledBefore: next } : {};
  }
}
