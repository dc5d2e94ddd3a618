import { WireError } from '@mneme/contracts';
import { MongoServerError } from 'mongodb';
import { expect, it } from 'vitest';
import { behind, explained, saidByStore } from './errors.ts';

it('an operator is told why something failed, and the error is kept as the cause', async () => {
  const cause = new TypeError('No wind');
  const failing = () => Promise.reject(cause);
  const refusal = { status: 409, code: 'CONFLICT', cause };
  await expect(explained(failing)).rejects.toMatchObject({ ...refusal, message: 'No wind' });
  await expect(explained(failing, 'It stays: ')).rejects.toMatchObject({ ...refusal, message: 'It stays: No wind' });
  await expect(explained(failing)).rejects.toThrow(WireError);
});

it('what was refused stays as it is', async () => {
  const refusal = behind('Not yet');
  await expect(explained(() => Promise.reject(refusal), 'It stays: ')).rejects.toBe(refusal);
});

const replied = {
  status: { error: 'Service internal error: no space left in /qdrant/storage/collections/x' },
  time: 0,
};

it.each([
  [
    'MongoDB',
    new MongoServerError({ message: 'available disk space of 1 bytes is less than 2' }),
    'MongoDB: available disk space of 1 bytes is less than 2',
  ],
  [
    'the client of Qdrant',
    Object.assign(new Error('Internal Server Error'), { status: 500, data: replied }),
    'Qdrant: Service internal error: no space left in [path]',
  ],
  [
    'a request to Qdrant',
    Object.assign(new Error(`/collections/x/points answered 500: ${JSON.stringify(replied)}`), { status: 500 }),
    'Qdrant: Service internal error: no space left in [path]',
  ],
  ['an address', new Error('mongodb://me:secret@db:27017/x cannot be reached'), '[address] cannot be reached'],
  ['no error', 'either/or', 'either/or'],
])('what a store says names no address and no folder: %s', (_, error, said) => expect(saidByStore(error)).toBe(said));
