import { LRUCache } from 'lru-cache';

/** How many agents and spaces are remembered; about 10 MB at most. */
const most = 50_000;
/** In milliseconds. A log that was restored from a backup meanwhile may never have the event. */
const rememberedMs = 600_000;

/**
 * Changes that were answered before the read model had applied them. A read that comes after such an answer waits for its
 * change, as if the caller had sent its position: the answer has promised that it is done.
 */
export class UnseenChanges {
  readonly #ofAgents = new LRUCache<string, number>({ max: most, ttl: rememberedMs });
  readonly #ofSpaces = new LRUCache<string, number>({ max: most, ttl: rememberedMs });

  /** @param agentId undefined if the change does not say whose it is */
  note(space: string, agentId: string | undefined, sequence: number): void {
    raise(this.#ofSpaces, space, sequence);
    raise(this.#ofAgents, agentKeyOf(space, agentId), sequence);
  }

  /**
   * The sequence that a read must have seen, if any.
   * @param agentId of a read of one agent; undefined for a read of the space
   * @param asked what the caller has asked for
   */
  minSequence(space: string, agentId: string | undefined, asked: number | undefined): number | undefined {
    const known =
      agentId === undefined
        ? [this.#ofSpaces.get(space)]
        : [this.#ofAgents.get(agentKeyOf(space, agentId)), this.#ofAgents.get(agentKeyOf(space, undefined))];
    const sequences = [asked, ...known].filter((sequence) => sequence !== undefined);
    return sequences.length === 0 ? undefined : Math.max(...sequences);
  }

  /** A read has seen this sequence. */
  seen(space: string, agentId: string | undefined, sequence: number): void {
    if (agentId === undefined) forget(this.#ofSpaces, space, sequence);
    else forget(this.#ofAgents, agentKeyOf(space, agentId), sequence);
  }
}

function agentKeyOf(space: string, agentId = ''): string {
  return `${space}/${agentId}`;
}

function raise(known: LRUCache<string, number>, key: string, sequence: number): void {
  known.set(key, Math.max(sequence, known.get(key) ?? 0));
}

function forget(known: LRUCache<string, number>, key: string, sequence: number): void {
  if ((known.get(key) ?? Number.POSITIVE_INFINITY) <= sequence) known.delete(key);
}
