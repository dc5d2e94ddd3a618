import { LRUCache } from 'lru-cache';

/** How many changes are remembered; about 10 MB at most. */
const most = 50_000;
/** In milliseconds. A log that was restored from a backup meanwhile may never have the event. */
const rememberedMs = 600_000;

/** What a change or a read is about: an agent with all that it remembers, or one unit or operation. */
export interface Subject {
  readonly agentId?: string | undefined;
  readonly agentIds?: readonly string[] | null | undefined;
  readonly unitId?: string | undefined;
  readonly operationId?: string | undefined;
}

/**
 * Changes that were answered before the read model had applied them. A read of the same thing that comes after such an answer
 * waits for the change, as if the caller had sent its position: the answer has promised that it is done.
 */
export class UnseenChanges {
  readonly #sequences = new LRUCache<string, number>({ max: most, ttl: rememberedMs });

  /** @param sequence that of the event of the change */
  note(space: string, about: Subject, sequence: number): void {
    for (const key of keysOf(space, about)) this.#sequences.set(key, Math.max(sequence, this.#sequences.get(key) ?? 0));
  }

  /**
   * The sequence that a read must have seen; undefined if any state will do.
   * @param asked what the caller has asked for
   */
  minSequence(space: string, about: Subject, asked: number | undefined): number | undefined {
    const known = keysOf(space, about).map((key) => this.#sequences.get(key));
    const sequences = [asked, ...known].filter((sequence) => sequence !== undefined);
    return sequences.length === 0 ? undefined : Math.max(...sequences);
  }

  /** A read has seen this sequence. */
  seen(space: string, about: Subject, sequence: number): void {
    for (const key of keysOf(space, about))
      if ((this.#sequences.get(key) ?? Number.POSITIVE_INFINITY) <= sequence) this.#sequences.delete(key);
  }
}

function keysOf(space: string, { agentId, agentIds, unitId, operationId }: Subject): string[] {
  const agents = agentIds ?? (agentId === undefined ? [] : [agentId]);
  return [
    ...agents.map((id) => `${space} agent ${id}`),
    ...(unitId === undefined ? [] : [`${space} unit ${unitId.toLowerCase()}`]),
    ...(operationId === undefined ? [] : [`${space} operation ${operationId}`]),
  ];
}
