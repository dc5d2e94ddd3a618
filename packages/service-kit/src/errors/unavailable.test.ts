import { WireError } from '@mneme/contracts';
import { ClosedConnectionError, NoRespondersError, TimeoutError } from '@nats-io/nats-core';
import { describe, expect, it } from 'vitest';
import { isUnavailable } from './unavailable.ts';

const named = (name: string, more: object = {}) => Object.assign(new Error('x'), { name, ...more });

describe('an error means that a server is out of reach', () => {
  it.each([
    new ClosedConnectionError(),
    new NoRespondersError('subject'),
    new TimeoutError(),
    named('MongoServerSelectionError'),
    named('MongoNetworkError'),
    named('MongoServerError', { code: 11_600 }),
    named('ApiError', { status: 503 }),
    new TypeError('fetch failed', { cause: named('Error', { code: 'ECONNREFUSED' }) }),
    new Error('outer', { cause: new Error('inner', { cause: named('Error', { code: 'ECONNRESET' }) }) }),
    new AggregateError([named('Error', { code: 'ECONNREFUSED' })]),
  ])('%s', (error) => expect(isUnavailable(error)).toBe(true));
});

describe('an error means something else', () => {
  it.each([
    undefined,
    'ECONNREFUSED',
    new TypeError('x is not a function'),
    named('MongoServerError', { code: 11_000 }),
    named('ApiError', { status: 400 }),
    new WireError({ status: 503, code: 'UNAVAILABLE', message: 'x' }),
  ])('%s', (error) => expect(isUnavailable(error)).toBe(false));
});
