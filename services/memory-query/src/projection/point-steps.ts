/** Qdrant answers questions late while it writes more than this. */
const mostPoints = 25;
/** Fewer cost more for each point than they gain. */
const fewestPoints = 5;
/** How long one request should take, in milliseconds. */
const wantedMs = 20;
/** The weight of the newest request. */
const smoothing = 0.2;

/**
 * How many points a batch that gives way to questions writes with one request. Qdrant keeps every question waiting while it
 * writes, and each point takes longer the more the collection has; see
 * `docs/decisions/0049-no-graph-over-vectors.md`.
 */
export class PointSteps {
  #perPointMs = 0;

  /** The next request's share of the points. */
  next<T>(points: readonly T[]): readonly T[] {
    const fitting = this.#perPointMs === 0 ? mostPoints : Math.floor(wantedMs / this.#perPointMs);
    return points.slice(0, Math.min(mostPoints, Math.max(fewestPoints, fitting)));
  }

  /** @param tookMs how long the request took, in milliseconds */
  note(points: number, tookMs: number): void {
    if (points < fewestPoints) return;
    const now = tookMs / points;
    this.#perPointMs = this.#perPointMs === 0 ? now : this.#perPointMs + smoothing * (now - this.#perPointMs);
  }
}
