import { tooManyRequests } from '../errors.ts';

/** How many streams one user may have open at a gateway. */
const maxStreamsPerUser = 10;
/** After which a caller is told to try again, in seconds. */
const retryAfterSeconds = 5;

/** Keeps one user from holding all the connections and service calls that there are. */
export class StreamCounts {
  readonly #open = new Map<number, number>();

  /**
   * Counts one more stream of a user.
   * @returns to be called when it ends
   * @throws WireError 429 when the user has too many
   */
  enter(userId: number): () => void {
    const open = this.#open.get(userId) ?? 0;
    if (open >= maxStreamsPerUser) {
      throw tooManyRequests(`You have ${open} streams open; end one of them first`, retryAfterSeconds);
    }
    this.#open.set(userId, open + 1);
    return () => {
      const left = (this.#open.get(userId) ?? 1) - 1;
      if (left === 0) this.#open.delete(userId);
      else this.#open.set(userId, left);
    };
  }
}
