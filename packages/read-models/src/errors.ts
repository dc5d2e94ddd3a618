import { WireError } from '@mneme/contracts';
import { messageOf } from '@mneme/service-kit';
import { MongoClientBulkWriteError } from 'mongodb';

/** The read model has not applied everything that an answer needs. */
export function behind(message: string): WireError {
  return new WireError({ status: 503, code: 'READ_MODEL_BEHIND', message, extra: { retry_after: 1 } });
}

/** The read model is being built, and has no version that can answer. */
export function rebuilding(message: string): WireError {
  return new WireError({ status: 503, code: 'REBUILDING', message, extra: { retry_after: 5 } });
}

/** Why something failed, for operators. The driver says of a bulk write only that it failed; what each write met says why. */
export function reasonOf(error: unknown): string {
  if (error instanceof MongoClientBulkWriteError) {
    const [first] = error.writeErrors.values();
    if (first) return `MongoDB refused a write: ${first.message}`;
  }
  return messageOf(error);
}
