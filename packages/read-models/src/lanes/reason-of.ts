import { MongoClientBulkWriteError } from 'mongodb';

/** Why something failed, for operators. The driver says of a bulk write only that it failed; what each write met says why. */
export function reasonOf(error: unknown): string {
  if (error instanceof MongoClientBulkWriteError) {
    const [first] = error.writeErrors.values();
    if (first) return `MongoDB refused a write: ${first.message}`;
  }
  return error instanceof Error ? error.message : String(error);
}
