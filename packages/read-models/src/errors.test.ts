import { WireError } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { behind, explained } from './errors.ts';

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
