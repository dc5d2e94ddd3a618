import { WireError } from '@mneme/contracts';

/** The read model has not applied everything that an answer needs. */
export function behind(message: string): WireError {
  return new WireError({ status: 503, code: 'READ_MODEL_BEHIND', message, extra: { retry_after: 1 } });
}

/** The read model is being built, and has no version that can answer. */
export function rebuilding(message: string): WireError {
  return new WireError({ status: 503, code: 'REBUILDING', message, extra: { retry_after: 5 } });
}
