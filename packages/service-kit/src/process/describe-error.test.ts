import { describe, expect, it } from 'vitest';
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
      named('ResponseError', '/collections/units/points answered 500: secret'),
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

  it('ends with causes of causes', () => {
    const error = new Error('round');
    error.cause = error;
    expect(() => JSON.stringify(describeError(error))).not.toThrow();
  });
});
