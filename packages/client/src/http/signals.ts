/** A signal that follows another one; `AbortSignal.any` is missing in Node 18. */
export interface FollowingSignal {
  readonly signal: AbortSignal;
  abort(): void;
  /** Lets go of the other signal, which may live much longer. */
  unfollow(): void;
}

export function followSignal(outer: AbortSignal | undefined): FollowingSignal {
  const controller = new AbortController();
  const follow = () => controller.abort(outer?.reason);
  if (outer?.aborted) follow();
  outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    unfollow: () => outer?.removeEventListener('abort', follow),
  };
}

/** A following signal that also ends after a time in milliseconds, unless it is cleared before. */
export function limitTime(timeoutMs: number, outer: AbortSignal | undefined) {
  const { signal, abort, unfollow } = followSignal(outer);
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    abort();
  }, timeoutMs);
  return { signal, unfollow, isOver: () => isOver, clear: () => clearTimeout(timer) };
}
