import { describe, expect, it } from 'vitest';
import { isUnavailable } from '../errors/unavailable.ts';
import { describeError } from './describe-error.ts';

describe('an error in the log', () => {
  it('has its name, message, code and causes, and no other field, which may be what was to be written', () => {
    const cause = Object.assign(new Error('duplicate key'), {
      code: 11_000,
      writeErrors: [{ op: { text: 'secret' } }],
    });
    const described = describeError(new TypeError('could not write', { cause }));
    expect(described).toMatchObject({
      type: 'TypeError',
      message: 'could not write',
      cause: { message: 'duplicate key', code: 11_000 },
    });
    expect(JSON.stringify(described)).not.toContain('secret');
  });

  it('does not quote text that is no JSON', () => {
    const parse = () => JSON.parse('secret words');
    expect(parse).toThrow();
    try {
      parse();
    } catch (error) {
      expect(JSON.stringify(describeError(error))).not.toContain('secret');
    }
  });

  it('does not quote what a model server has said, which may be what it was sent', () => {
    const error = new Error('openai:m: the server has failed (status 500). The server said: secret words', {
      cause: new Error('Item 2 of 3: the server has failed. The server said: secret'),
    });
    const described = JSON.stringify(describeError(error));
    expect(described).not.toContain('secret');
    expect(described).toContain('the server has failed (status 500).');
    expect(described).toContain('describe-error.test');
  });

  it('does not quote what MongoDB and Qdrant repeat of questions and rows', () => {
    const named = (name: string, message: string, more = {}) => Object.assign(new Error(message), { name, ...more });
    const shown = (error: Error) => (describeError(error) as { message: string }).message;
    const body = '{"status":{"error":"Format error in JSON body: invalid type: string \\"secret}\\", expected u64"}}';
    const errors = [
      named('MongoServerError', 'E11000 duplicate key error index: _id_ dup key: { _id: "secret" }', { codeName: 'x' }),
      named('MongoServerError', "Cannot create field 'secret' in element {a: 1}"),
      named('ResponseError', `/collections/units/points answered 400: ${body}`),
      named('ResponseError', '/collections/units/points answered 500: <p>secret</p>'),
    ];
    expect(JSON.stringify(errors.map((error) => describeError(error)))).not.toContain('secret');
    expect(errors.map(shown)).toEqual([
      'E11000 duplicate key error index: _id_ dup key: ...',
      'Cannot create field...',
      '/collections/units/points answered 400: Format error in JSON body: invalid type: string ...',
      '/collections/units/points answered 500: ',
    ]);
    expect(describeError(errors[0])).toMatchObject({ codeName: 'x', stack: expect.stringContaining(' at ') });
  });

  it('says what names no value: settings, indexes, collections, and what a proxy says', () => {
    const keys = 'Requested index: { v: 2, key: { a: 1 } }, existing index: { v: 2, key: { b: 1 } }';
    const said = [
      ['MongoParseError', 'Invalid scheme, expected connection string to start with "mongodb://"'],
      ['MongoServerError', `An existing index has the same name as the requested index. ${keys}`],
      ['ResponseError', '/collections/units answered 401: Must provide an API key'],
      ['ResponseError', 'something else'],
    ] as const;
    const shown = (name: string, message: string) =>
      (describeError(Object.assign(new Error(message), { name })) as { message: string }).message;
    expect(said.map(([name, message]) => shown(name, message))).toEqual(said.map(([, message]) => message));
    const failed = (error: string) => shown('ResponseError', `/points answered 404: {"status":{"error":"${error}"}}`);
    expect(failed("Not found: Collection `units@3` doesn't exist!")).toContain("Collection `units@3` doesn't exist!");
    expect(failed('unknown variant `secret`, expected one of `a`')).not.toContain('secret');
    expect(failed('wrong word `two secrets`')).not.toContain('secret');
    expect(shown('MongoServerError', `E11000 dup key: { _id: "An existing index ${keys} secret" }`)).not.toContain(
      'secret',
    );
  });

  it('may have a name and a message that are no strings', () => {
    for (const odd of [undefined, null, 7]) {
      const error = Object.assign(new Error('odd'), { name: odd, message: odd });
      expect(describeError(error)).toMatchObject({ message: String(odd) });
      expect(isUnavailable(Object.assign(error, { code: 7 }))).toBe(false);
    }
  });

  it('has the errors that it stands for, and no more than some', () => {
    const refused = ['127.0.0.1:9', '::1:9'].map((address) =>
      Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED', request: 'secret' }),
    );
    const cause = new AggregateError([...refused, { text: 'secret' }]);
    const described = describeError(new TypeError('fetch failed', { cause }));
    const [first, second] = [{ code: 'ECONNREFUSED' }, { message: 'connect ECONNREFUSED ::1:9' }];
    expect(described).toMatchObject({ cause: { type: 'AggregateError', errors: [first, second, 'object'] } });
    expect(JSON.stringify(described)).not.toContain('secret');
    expect(describeError(new AggregateError(Array(100).fill(7)))).toMatchObject({ errors: [7, 7, 7, 7, 7] });
    expect(describeError(Object.assign(cause, { errors: 7 }))).not.toHaveProperty('errors');
  });

  it('is short where errors stand for each other', () => {
    const error = new AggregateError([]);
    error.errors = Array(100).fill(error);
    expect(JSON.stringify(describeError(error)).match(/"type"/g)).toHaveLength(1 + 5 + 25 + 125);
  });

  it('ends with causes of causes', () => {
    const error = new Error('round');
    error.cause = error;
    expect(() => JSON.stringify(describeError(error))).not.toThrow();
  });
});
