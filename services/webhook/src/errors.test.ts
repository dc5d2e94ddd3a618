import { expect, it } from 'vitest';
import { safeMessage } from './errors.ts';

class MongoServerError extends Error {
  override readonly name = 'MongoServerError';
}

it.each([
  [new Error('Table 4 has no row'), 'Table 4 has no row'],
  [new Error('failed\n    at file.ts'), 'failed'],
  [new Error('no answer from mongodb://root:pw@db:27017/x'), 'no answer from [hidden]'],
  [new Error('cannot read /var/lib/mneme/key.pem now'), 'cannot read [hidden] now'],
  [new Error('bad sk-0123456789abcdef0123456789abcdef'), 'bad [redacted]'],
  [new MongoServerError('E11000 dup key: { name: "Ana" }'), 'The store refused the request'],
  [new Error(''), 'Internal error'],
  ['text', 'The store refused the request'],
])('the message for %s is safe', (error, message) => {
  expect(safeMessage(error)).toBe(message);
});
