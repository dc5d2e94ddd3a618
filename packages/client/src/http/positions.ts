/** The logs of a server; each area of the API reads and writes one. */
export type Log = 'MEMORY' | 'ACCESS' | 'WEBHOOKS';

/** The log that a path of the API belongs to. */
export function logOf(path: string): Log {
  if (!path.startsWith('/api/v3/')) return 'MEMORY';
  return /^\/api\/v3\/(webhooks|tables|projects\/)/.test(path) ? 'WEBHOOKS' : 'ACCESS';
}

/**
 * The positions in the logs that this client has written to. A read that carries the position waits until it sees the
 * write.
 */
export class Positions {
  readonly #sequences = new Map<string, number>();

  /** Remembers the later of two positions in a log. */
  note(position: string | null): void {
    const { log, sequence } = parse(position ?? '');
    if (log !== undefined) this.#sequences.set(log, Math.max(sequence, this.#sequences.get(log) ?? 0));
  }

  /**
   * @param after a position that is wanted at least
   * @returns `<log>:<sequence>`, or undefined if nothing was written to the log; `after` as it is, if it is no position there
   */
  of(log: Log, after?: string): string | undefined {
    const known = this.#sequences.get(log);
    if (after === undefined) return known === undefined ? undefined : `${log}:${known}`;
    const wanted = parse(after);
    return wanted.log === log && wanted.sequence < (known ?? 0) ? `${log}:${known}` : after;
  }

  forget(log: Log): void {
    this.#sequences.delete(log);
  }
}

function parse(position: string): { readonly log: string | undefined; readonly sequence: number } {
  const [, log, sequence] = /^([A-Z]+):(\d+)$/.exec(position.trim()) ?? [];
  return { log, sequence: Number(sequence) };
}
