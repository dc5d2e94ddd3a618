import { MongoClientBulkWriteError, MongoNetworkError, MongoServerError } from 'mongodb';
import { expect, it } from 'vitest';
import { isStoreFailure } from './store-failures.ts';

const answered = (status: number) => Object.assign(new Error(`answered ${status}`), { status });
const named = (name: string) => Object.assign(new Error('too late'), { name });
const mongo = (codeName: string, code: number) => new MongoServerError({ message: codeName, codeName, code });

function bulkWrite(change: Partial<MongoClientBulkWriteError>) {
  return Object.assign(new MongoClientBulkWriteError({ message: 'errors during execution' }), change);
}

it.each([
  ['a full disk of Qdrant', answered(500)],
  ['a rate limit', answered(429)],
  ['a request that was not read in time', answered(408)],
  ['a timeout', named('QdrantClientTimeoutError')],
  ['a lost connection', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
  [
    'what fetch says of one',
    new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
  ],
  ['a lost connection to MongoDB', new MongoNetworkError('connection closed')],
  ['a full disk of MongoDB', mongo('OutOfDiskSpace', 14_031)],
  ['a secondary', mongo('NotWritablePrimary', 10_107)],
  ['a secondary, met by a bulk write', bulkWrite({ cause: mongo('NotWritablePrimary', 10_107) })],
  ['a shutdown', mongo('ShutdownInProgress', 91)],
  ['a time limit', mongo('ExceededTimeLimit', 262)],
  ['a write concern', mongo('WriteConcernTimeout', 64)],
])('%s is a failure of the store', (_, error) => {
  expect(isStoreFailure(error)).toBe(true);
});

it.each([
  ['a request that Qdrant refuses', answered(400)],
  ['a row that the schema refuses', mongo('DocumentValidationFailure', 121)],
  ['a row that is too large', mongo('BSONObjectTooLarge', 10_334)],
  [
    'a row that a bulk write refuses',
    bulkWrite({ writeErrors: new Map([[0, { code: 121, message: 'refused' } as never]]) }),
  ],
  ['a bug of ours', new TypeError('undefined is not a function')],
])('%s is none', (_, error) => {
  expect(isStoreFailure(error)).toBe(false);
});
