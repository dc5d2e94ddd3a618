import type { Response } from 'express';
import { CallerGoneError } from './failure.ts';

/**
 * The requests that are being worked on. Each has its own signal; one signal for all would gather a listener per
 * request for as long as the process lives.
 */
export class RunningRequests {
  readonly #controllers = new Set<AbortController>();
  #stopReason: Error | undefined;

  /** The signal of one request; aborted when its caller goes away before the answer, or by `stop`. */
  begin(response: Response): AbortSignal {
    const controller = new AbortController();
    this.#controllers.add(controller);
    response.once('close', () => {
      this.#controllers.delete(controller);
      if (!response.writableFinished) controller.abort(new CallerGoneError('The caller has gone'));
    });
    if (this.#stopReason) controller.abort(this.#stopReason);
    return controller.signal;
  }

  /** Ends what the running requests wait for, and every later request, with `reason`. */
  stop(reason: Error): void {
    this.#stopReason = reason;
    for (const controller of this.#controllers) controller.abort(reason);
  }
}
