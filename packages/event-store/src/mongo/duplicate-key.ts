import { MongoClientBulkWriteError, MongoServerError } from 'mongodb';

const duplicateKeyCode = 11_000;

/** Whether a write failed because what it was to insert is there already. */
export function isDuplicateKey(error: unknown): boolean {
  if (error instanceof MongoClientBulkWriteError) {
    return [...error.writeErrors.values()].some(({ code }) => code === duplicateKeyCode);
  }
  return error instanceof MongoServerError && error.code === duplicateKeyCode;
}
