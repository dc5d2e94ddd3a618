import type { Logger } from '@mneme/service-kit';

export interface BestEffort {
  /** What it is, for the log. */
  readonly what: string;
  /** When the caller stops waiting, in milliseconds since 1970. */
  readonly deadline: number;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
  readonly correlationId: string;
}

/** How much of the caller's time is kept for writing down what there is, in milliseconds. */
const recordingMs = 3_000;

/**
 * Asks a model for what is good to have beside something that is to hold in any case.
 * @returns undefined when the model fails or takes longer than the caller waits; the log says why
 * @throws the signal's reason when it is aborted
 */
export async function bestEffort<T>(
  { what, deadline, signal, correlationId }: BestEffort,
  { clock, logger }: { readonly clock: () => Date; readonly logger: Logger },
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const leftMs = Math.max(0, deadline - clock().getTime() - recordingMs);
  try {
    return await ask(AbortSignal.any([signal, AbortSignal.timeout(leftMs)]));
  } catch (error) {
    signal.throwIfAborted();
    logger.warn({ err: error, requestId: correlationId }, `A model gave no ${what}`);
    return undefined;
  }
}
