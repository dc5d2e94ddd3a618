import { isUnavailable } from '@mneme/service-kit';
import { MongoClientBulkWriteError, MongoError, MongoServerError } from 'mongodb';

/** By which MongoDB refuses what is to be written, not that something is written. */
const refusedContents: Readonly<Record<string, number>> = {
  BadValue: 2,
  FailedToParse: 9,
  TypeMismatch: 14,
  InvalidBSON: 22,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  EmptyFieldName: 56,
  DottedFieldName: 57,
  ImmutableField: 66,
  DocumentValidationFailure: 121,
  TransactionTooLarge: 257,
  TransactionTooLargeForCache: 359,
  BSONObjectTooLarge: 10_334,
  DuplicateKey: 11_000,
  DocumentAfterUpdateTooLarge: 17_419,
};
const refusedCodes: ReadonlySet<unknown> = new Set(Object.values(refusedContents));

const tooManyRequestsStatus = 429;
const serverErrorStatus = 500;

/**
 * Whether an error tells of a store that fails, is out of reach, too slow or too busy, and not of what was to be written. All
 * but a few errors of MongoDB do; those of Qdrant and NATS have the status of an HTTP response.
 */
export function isStoreFailure(error: unknown): boolean {
  if (error instanceof MongoError) return !isRefusedByMongo(error);
  const { status } = (error ?? {}) as { status?: unknown };
  if (typeof status === 'number' && (status >= serverErrorStatus || status === tooManyRequestsStatus)) return true;
  return isUnavailable(error);
}

function isRefusedByMongo(error: MongoError): boolean {
  if (error instanceof MongoClientBulkWriteError) {
    const { cause } = error;
    if (cause instanceof MongoError) return isRefusedByMongo(cause);
    return [...error.writeErrors.values()].some(({ code }) => refusedCodes.has(code));
  }
  return error instanceof MongoServerError && refusedCodes.has(error.code);
}
