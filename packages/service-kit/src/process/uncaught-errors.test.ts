import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

/** How a process ends that runs `program`, with a logger in `logger`. */
async function endOf(program: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const module = (name: string) => JSON.stringify(import.meta.resolve(name));
  const source = `
    import { createLogger } from ${module('./logger.ts')};
    import { endOnUncaughtErrors, printAndEnd } from ${module('./uncaught-errors.ts')};
    const logger = createLogger({ service: 'test' });
    ${program}
  `;
  const ended = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source]);
  return ended.then(
    () => expect.unreachable(),
    (error) => error,
  );
}

/** Throws an error, as source text, that nothing catches. */
const thrown = (error: string) => endOf(`endOnUncaughtErrors(logger); setTimeout(() => { throw ${error}; });`);

/** The refusal of a row, as source text, as the driver of MongoDB makes it. */
const refusal = `Object.assign(new Error('E11000 duplicate key error dup key: { text: "SECRET" }'), {
  name: 'MongoBulkWriteError',
  writeErrors: [{ op: { text: 'SECRET', authorization: 'Bearer sk-0123456789abcdef' } }],
})`;
/** An error with such a cause and a key in its message. */
const failure = `new Error('Not written for sk-0123456789abcdef', { cause: ${refusal} })`;
const printed =
  /^Error: Not written for \[redacted\]\n +at .*\nCaused by: MongoBulkWriteError: E11000 .* dup key: \.\.\./s;

describe('an error that nothing has caught', () => {
  it('is in the log, and ends the process as it does without one', async () => {
    const { code, stdout, stderr } = await thrown("new Error('EMFILE: too many open files')");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Error: EMFILE: too many open files\n +at /);
    expect(JSON.parse(stdout)).toMatchObject({
      level: 'fatal',
      err: { message: 'EMFILE: too many open files', stack: expect.any(String) },
    });
  });

  it.each([
    ['thrown', (error: string) => thrown(error)],
    ['a rejection', (error: string) => endOf(`endOnUncaughtErrors(logger); void Promise.reject(${error});`)],
    ['in a program without a log', (error: string) => endOf(`endOnUncaughtErrors(); await Promise.reject(${error});`)],
    ['in a start that failed', (error: string) => endOf(`printAndEnd(${error});`)],
  ])('is printed with its causes, and without rows and keys: %s', async (_, end) => {
    const { code, stdout, stderr } = await end(failure);
    expect(code).toBe(1);
    expect(stderr).toMatch(printed);
    expect(stdout + stderr).not.toMatch(/SECRET|0123456789abcdef/);
  });

  it.each([
    ["Object.assign(new Error('cannot'), { code: 'ENOSPC' })", /^Error: cannot\n +at .*\n {4}code: ENOSPC\n$/s],
    [
      "Object.assign(new Error('cannot'), { code: 14031, codeName: 'OutOfDiskSpace', stack: undefined })",
      /^Error: cannot\n {4}code: 14031\n {4}codeName: OutOfDiskSpace\n$/,
    ],
    ["new Error('outer', { cause: { text: 'SECRET' } })", /^Error: outer\n +at .*\nCaused by: object\n$/s],
    [
      `new AggregateError([Object.assign(new Error('one'), { code: 'ECONNREFUSED' }), 'two'], 'none')`,
      /^AggregateError: none\n {4}at .*\n {4}Error 1: Error: one\n {8}at .*\n {8}code: ECONNREFUSED\n {4}Error 2: two\n$/s,
    ],
  ])('is printed with what the log has of it: %s', async (error, said) => {
    const { stderr } = await thrown(error);
    expect(stderr).toMatch(said);
  });

  it.each([
    ["Object.assign(new Error('odd'), { name: undefined })", 'odd'],
    // Its stack cannot be made.
    ["Object.assign(new Error('odd'), { name: Symbol('odd') })", ''],
    ["{ text: 'SECRET' }", 'Uncaught object'],
    ['undefined', 'Uncaught undefined'],
  ])('ends the process with the same code if it is %s', async (error, said) => {
    const { code, stderr } = await thrown(error);
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
    expect(stderr).not.toContain('SECRET');
  });

  it('ends the process where its line of the log cannot be made', async () => {
    const fatal = "{ fatal: () => { throw new Error('no log'); } }";
    const { code, stderr } = await endOf(`endOnUncaughtErrors(${fatal}); setTimeout(() => { throw ${failure}; });`);
    expect(code).toBe(1);
    expect(stderr).toMatch(printed);
  });
});
