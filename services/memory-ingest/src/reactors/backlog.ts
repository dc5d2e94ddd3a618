import { agentKeyOf, lacksVectors, type MemoryEvent, memoryQuery, WireError } from '@mneme/contracts';
import type { EventStore } from '@mneme/event-store';
import { type Client, isUnavailable, type Logger } from '@mneme/service-kit';
import { LineLimit } from '@mneme/workers/line-limit';
import { sleep } from '@mneme/workers/waits';
import { LRUCache } from 'lru-cache';

/** Small batches are counted together, in about this many steps up to the limit. */
const steps = 10;
/** The longest time that an agent is held back without progress, in milliseconds. */
const longestMs = 60_000;
/** How long one request waits for the read model, in milliseconds: the most that `awaitPosition` takes. */
const waitMs = 5_000;
const marginMs = 5_000;
/** Between two requests, when the read model has not applied the event, in milliseconds. */
const pauseMs = 500;
/** How many agents are remembered. */
const maxAgents = 10_000;

/** Some events of an agent that follow each other, in facts or vectors. */
interface Step {
  count: number;
  /** Of the last of the events. */
  sequence: number;
}

export interface BacklogOptions {
  readonly client: Pick<Client, 'request'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** The limit of facts or vectors that the read model has not applied. The backlog of an agent with more is long. */
  readonly most: number;
  /** The number of facts or vectors in an event; 0 for other events. */
  readonly countOf: (event: MemoryEvent) => number;
  /** How long an agent may be held back, in milliseconds; a minute unless given. */
  readonly longestMs?: number;
}

interface AgentBacklog {
  count: number;
  /** The oldest first. */
  readonly steps: Step[];
}

/**
 * What this instance has stored of an agent and the read model has not applied yet, as far as it knows: facts, or vectors.
 * Both are made faster than they are applied, in the order of the log. With a bound for each agent, the facts of others, who
 * share a lane of the read model with it, come soon after their batch was submitted, however many batches of the agent wait.
 */
export class Backlog {
  readonly #options: BacklogOptions;
  /** By agent key. */
  readonly #agents: LRUCache<string, AgentBacklog>;
  /** Those of agents for which the read model is being asked. */
  readonly #following = new Map<string, AgentBacklog>();
  readonly #stopping = new AbortController();
  readonly #failures = new LineLimit();

  constructor(options: BacklogOptions) {
    this.#options = options;
    this.#agents = new LRUCache({ max: maxAgents, ttl: options.longestMs ?? longestMs });
  }

  /** Decorates the event store: what is appended is counted. */
  counting(store: EventStore<MemoryEvent>): EventStore<MemoryEvent> {
    return {
      ...store,
      append: async (subject, events, ...rest) => {
        const position = await store.append(subject, events, ...rest);
        const key = agentKeyOf(subject);
        const count = events.reduce((sum, event) => sum + this.#options.countOf(event), 0);
        if (key !== undefined && count > 0) this.#stored(key, count, position.sequence);
        return position;
      },
    };
  }

  /** Whether the agent with a key has more than the limit. */
  isLong(key: string): boolean {
    return (this.#following.get(key)?.count ?? 0) > this.#options.most;
  }

  stop(): void {
    this.#stopping.abort();
  }

  #stored(key: string, count: number, sequence: number): void {
    const { most } = this.#options;
    const backlog = this.#following.get(key) ?? this.#agents.get(key) ?? { count: 0, steps: [] };
    const last = backlog.steps.at(-1);
    backlog.count += count;
    if (last && last.count + count <= most / steps) [last.count, last.sequence] = [last.count + count, sequence];
    else backlog.steps.push({ count, sequence });
    this.#agents.set(key, backlog);
    if (backlog.count > this.#few && !this.#following.has(key)) void this.#follow(key, backlog);
  }

  /**
   * Up to this number the read model is not asked for its position. It is asked before the limit is reached, so that no agent is
   * held back for what was applied long ago.
   */
  get #few(): number {
    return this.#options.most / 2;
  }

  /** Asks the read model until it has applied enough. When it is away, nothing is held back for it. */
  async #follow(key: string, backlog: AgentBacklog): Promise<void> {
    this.#following.set(key, backlog);
    const giveUpAfter = () => performance.now() + (this.#options.longestMs ?? longestMs);
    let giveUpAt = giveUpAfter();
    try {
      while (backlog.count > this.#few) {
        const oldest = backlog.steps[0];
        const leftMs = Math.ceil(giveUpAt - performance.now());
        if (!oldest || leftMs <= 0) break;
        const { sequence } = oldest;
        if (await this.#isApplied(key, sequence, Math.min(waitMs, leftMs))) {
          forget(backlog, sequence);
          if (!this.isLong(key)) giveUpAt = giveUpAfter();
        } else await sleep(pauseMs, this.#stopping.signal);
      }
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#failed(error);
    } finally {
      this.#following.delete(key);
      // It is counted anew.
      if (backlog.count > this.#few) this.#agents.delete(key);
    }
  }

  #failed(error: unknown): void {
    // Also where an event of the agent could not be applied: then nothing of it waits in its lane.
    if (isUnavailable(error) || (error instanceof WireError && error.status === 503)) return;
    this.#failures.write((omitted) =>
      this.#options.logger.warn(
        { err: error, ...omitted },
        'Cannot ask how far the read model is; nothing waits for it',
      ),
    );
  }

  async #isApplied(agentKey: string, sequence: number, forMs: number): Promise<boolean> {
    const options = { correlationId: 'backlog', timeoutMs: forMs + marginMs, signal: this.#stopping.signal };
    const { reached } = await this.#options.client.request(
      memoryQuery.awaitPosition,
      // Otherwise the read model would store more slowly, since a caller might wait.
      { agentKey, sequence, waitMs: forMs, isBackground: true },
      options,
    );
    return reached;
  }
}

/** Takes out what is applied up to a sequence. */
function forget(backlog: AgentBacklog, sequence: number): void {
  while (backlog.steps[0] && backlog.steps[0].sequence <= sequence) backlog.count -= backlog.steps.shift()?.count ?? 0;
}

type Needed = Pick<BacklogOptions, 'client' | 'logger'>;

/** Some seconds of work for the read model. */
const mostFacts = 1_000;
/** The same: similar units are looked for when a unit gets its vector, which takes longer than to store a fact. */
const mostVectors = 100;
/** The weight of a fact that comes with its vector. */
const weightWithVector = 3;

export function factBacklog({ client, logger }: Needed): Backlog {
  const countOf = (event: MemoryEvent) => {
    if (event.type !== 'FactsExtracted') return 0;
    return event.data.facts.length * (lacksVectors(event) ? 1 : weightWithVector);
  };
  return new Backlog({ client, logger, most: mostFacts, countOf });
}

export function vectorBacklog({ client, logger }: Needed): Backlog {
  const countOf = (event: MemoryEvent) => (event.type === 'VectorsAdded' ? event.data.vectors.length : 0);
  return new Backlog({ client, logger, most: mostVectors, countOf });
}
