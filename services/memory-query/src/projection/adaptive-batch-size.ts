/** Qdrant answers questions late while it writes more than this. */
const maxPoints = 25;
/** Fewer cost more for each point than they gain. */
const minPoints = 5;
/** How long one request should take, in milliseconds. */
const targetMs = 20;
/** The weight of the newest request. */
const smoothing = 0.2;

/**
 * How many points one request writes while questions come. Qdrant keeps every question waiting while it writes, and each
 * point takes longer the more the collection has; see `docs/decisions/0049-no-graph-over-vectors.md`.
 */
export class AdaptiveBatchSize {
  #perPointMs = 0;

  /** For the next request: as many points as were written in about 20 ms lately, 5 to 25. */
  get size(): number {
    const fitting = this.#perPointMs === 0 ? maxPoints : Math.floor(targetMs / this.#perPointMs);
    return Math.min(maxPoints, Math.max(minPoints, fitting));
  }

  /** @param tookMs how long a request with these points took, in milliseconds */
  note(points: number, tookMs: number): void {
    if (points < minPoints) return;
    const now = tookMs / points;
    this.#perPointMs = this.#perPointMs === 0 ? now : this.#perPointMs + smoothing * (now - this.#perPointMs);
  }
}
