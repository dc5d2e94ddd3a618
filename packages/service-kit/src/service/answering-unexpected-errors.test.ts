import { WireError } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { answeringUnexpectedErrors } from './answering-unexpected-errors.ts';
import type { RequestContext } from './request.ts';

class DomainError extends Error {}
const named = (name: string) => Object.assign(new Error('x'), { name });
const refusal = new WireError({ status: 404, code: 'NOT_FOUND', message: 'Not found' });

/** What a handler that throws comes to. */
async function outcomeOf(thrown: unknown, signal = new AbortController().signal): Promise<unknown> {
  const fail = () => {
    throw thrown;
  };
  const handler = answeringUnexpectedErrors<string, never>(fail, {
    mapError: (error) => (error instanceof DomainError ? refusal : undefined),
    answer: (cause, request) =>
      new WireError({ status: 500, code: 'FETCH_ERROR', message: `Not with ${request}` }, { cause }),
  });
  const context = { signal } as RequestContext;
  try {
    return await handler('this', context);
  } catch (error) {
    return error;
  }
}

it.each([new Error('x'), new TypeError('x'), 'x', named('MongoServerError')])(
  'answers a surprise: %s',
  async (thrown) => {
    expect(await outcomeOf(thrown)).toMatchObject({ status: 500, code: 'FETCH_ERROR', message: 'Not with this' });
  },
);

it.each([
  new DomainError('x'),
  refusal,
  new WireError({ status: 500, code: 'CREATE_ERROR', message: 'x' }),
  ...['ConflictError', 'EventTooLargeError', 'BatchTooLargeError', 'HistoryTooLargeError', 'TooManyWaitingError'].map(
    named,
  ),
  ...['EventLogUnavailableError', 'MongoServerSelectionError'].map(named),
])('leaves alone what has an answer: %s', async (thrown) => {
  expect(await outcomeOf(thrown)).toBe(thrown);
});

it('leaves alone what comes of a request that is over', async () => {
  const thrown = new Error('x');
  expect(await outcomeOf(thrown, AbortSignal.abort())).toBe(thrown);
});

it('passes on what is answered', async () => {
  const options = { mapError: () => undefined, answer: () => refusal };
  const handler = answeringUnexpectedErrors<number, number>((request) => request + 1, options);
  expect(await handler(1, {} as RequestContext)).toBe(2);
});
