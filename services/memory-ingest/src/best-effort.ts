import type { EventContext } from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';

/** The context of a request that calls models. */
export interface ModelContext extends EventContext {
  /** When the caller stops waiting, in milliseconds since 1970. */
  readonly deadline: number;
  /** Aborted when the caller stops waiting. */
  readonly signal: AbortSignal;
}

/** The part of the caller's time that is kept for appending the events, in milliseconds. */
const recordingMs = 3_000;

/**
 * Calls a model for an optional part of a result.
 * @param what the name of that part in the log
 * @returns undefined when the model fails or takes longer than the caller waits; the reason is logged
 * @throws the signal's reason when it is aborted
 */
export async function bestEffort<T>(
  { what, deadline, signal, correlationId }: ModelContext & { readonly what: string },
  { clock, logger }: { readonly clock: () => Date; readonly logger: Logger },
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const leftMs = Math.max(0, deadline - clock().getTime() - recordingMs);
  try {
    return await ask(AbortSignal.any([signal, AbortSignal.timeout(leftMs)]));
  } catch (error) {
    signal.throwIfAborted();
    logger.warn({ err: error, requestId: correlationId }, `The model returned no ${what}; continuing without them`);
    return undefined;
  }
}
