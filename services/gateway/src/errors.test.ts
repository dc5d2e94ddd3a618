import { WireError } from '@mneme/contracts';
import { natsFullMessage } from '@mneme/service-kit';
import { describe, expect, it } from 'vitest';
import { orFail, toWireError } from './errors.ts';

const error = (more: object) => Object.assign(new Error('mongodb://user:secret@host'), more);

describe('what a caller may know of an error', () => {
  it.each([
    ['a refusal, as it is', new WireError({ status: 404, code: 'NOT_FOUND', message: 'Not here' }), 404, 'NOT_FOUND'],
    [
      'a body that is too large',
      error({ status: 413, expose: true, type: 'entity.too.large' }),
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['a malformed path', Object.assign(new URIError('x'), { status: 400 }), 400, 'BAD_REQUEST'],
    ['a lost connection', error({ code: 'ECONNREFUSED' }), 503, 'UNAVAILABLE'],
    ['the event log without a leader', error({ status: 503 }), 503, 'UNAVAILABLE'],
    ['a status of another library', error({ status: 400, code: 10_071 }), 500, 'INTERNAL_ERROR'],
    ['an error of a proxy', error({ status: 502, expose: false }), 503, 'UNAVAILABLE'],
    ['a fault of ours', new TypeError('x is not a function'), 500, 'INTERNAL_ERROR'],
    ['something that is no error', 'mongodb://user:secret@host', 500, 'INTERNAL_ERROR'],
  ])('%s', (_name, thrown, status, code) => {
    const wireError = toWireError(thrown);
    expect([wireError.status, wireError.code]).toEqual([status, code]);
    expect(wireError.message).not.toContain('secret');
  });
});

it('a log that may store no more is not called out of reach', () => {
  const refused = Object.assign(new Error('insufficient resources'), {
    name: 'JetStreamApiError',
    code: 10_023,
    status: 503,
  });
  const ofAccount = { ...refused, name: 'JetStreamApiError', code: 10_002, status: 400 };
  for (const thrown of [
    refused,
    Object.assign(new Error('resource limits exceeded for account'), ofAccount),
    Object.assign(new Error('x', { cause: refused }), { name: 'EventLogUnavailableError' }),
  ])
    expect(toWireError(thrown)).toMatchObject({ status: 503, code: 'UNAVAILABLE', message: natsFullMessage });
  expect(toWireError(error({ status: 503 })).message).toMatch(/out of reach/);
});

describe('the answer of a route to unexpected errors', () => {
  const failure = { code: 'FETCH_ERROR', message: 'Failed to fetch tables' } as const;
  const answer = (thrown: unknown) => orFail(failure, () => Promise.reject(thrown));
  const refusal = { status: 500, code: 'INTERNAL_ERROR', message: 'Internal error' } as const;

  it('replaces what nothing is known of, here or in a service', async () => {
    await expect(answer(new TypeError('x is not a function'))).rejects.toMatchObject({ status: 500, ...failure });
    await expect(answer(new WireError({ ...refusal, isUnexplained: true }))).rejects.toMatchObject(failure);
  });

  it('leaves an error that says what it is, whatever its words', async () => {
    await expect(answer(new WireError(refusal))).rejects.toMatchObject(refusal);
  });
});
