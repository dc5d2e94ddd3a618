import { WireError } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import { defineErrors } from './define-errors.ts';
import type { RequestContext } from './request.ts';

const { DomainError, refusalReply, failingAs } = defineErrors({
  'unit-not-found': { status: 404, code: 'NOT_FOUND', message: 'Memory unit not found' },
  'unit-not-yours': { status: 403, code: 'FORBIDDEN', message: 'The unit belongs to another user' },
});
const named = (name: string) => Object.assign(new Error('x'), { name });

describe('a refusal', () => {
  it('has the status, code and message of its reply, and itself as the cause', () => {
    const refusal = new DomainError('unit-not-found');
    const reply = refusalReply(refusal);
    expect(reply).toBeInstanceOf(WireError);
    expect(reply).toMatchObject({ status: 404, code: 'NOT_FOUND', message: 'Memory unit not found', cause: refusal });
  });

  it('may have a message of its own', () => {
    const refusal = new DomainError('unit-not-yours', 'You can only edit your own units');
    expect(refusal).toMatchObject({ name: 'DomainError', code: 'unit-not-yours' });
    expect(refusalReply(refusal)).toMatchObject({ status: 403, message: 'You can only edit your own units' });
  });

  it('is told from other errors, also from a subclass of it', () => {
    class UnitError extends DomainError {}
    expect(refusalReply(new UnitError('unit-not-found'))).toMatchObject({ status: 404 });
    expect(refusalReply(new Error('unit-not-found'))).toBeUndefined();
  });
});

/** What a handler that throws comes to. */
async function outcomeOf(thrown: unknown, signal = new AbortController().signal): Promise<unknown> {
  const fail = () => {
    throw thrown;
  };
  const failure = (_cause: unknown, request: string) =>
    ({ code: 'FETCH_ERROR', message: `Failed with ${request}` }) as const;
  try {
    return await failingAs<string, never>(failure, fail)('this', { signal } as RequestContext);
  } catch (error) {
    return error;
  }
}

describe('a handler that fails', () => {
  it.each([new Error('x'), new TypeError('x'), 'x', named('MongoServerError')])(
    'replies to an unexpected error with the failure of its endpoint: %s',
    async (thrown) => {
      const failure = { status: 500, code: 'FETCH_ERROR', message: 'Failed with this', cause: thrown };
      expect(await outcomeOf(thrown)).toMatchObject(failure);
    },
  );

  it.each([
    new DomainError('unit-not-found'),
    new WireError({ status: 404, code: 'NOT_FOUND', message: 'Not found' }),
    new WireError({ status: 500, code: 'CREATE_ERROR', message: 'x' }),
    ...['ConflictError', 'EventTooLargeError', 'BatchTooLargeError', 'HistoryTooLargeError'].map(named),
    ...['EventLogUnavailableError', 'MongoServerSelectionError'].map(named),
  ])('leaves an error alone that has a reply of its own: %s', async (thrown) => {
    expect(await outcomeOf(thrown)).toBe(thrown);
  });

  it('leaves an error alone that follows from the end of its request', async () => {
    const thrown = new Error('x');
    expect(await outcomeOf(thrown, AbortSignal.abort())).toBe(thrown);
  });
});

it('a handler that succeeds keeps its reply', async () => {
  const handler = failingAs<number, number>(
    () => ({ code: 'FETCH_ERROR', message: 'x' }),
    (request) => request + 1,
  );
  expect(await handler(1, {} as RequestContext)).toBe(2);
});
