import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { main } from './testing/main.ts';

/** What a command says on standard error, and then its exit code, when `reader` reads its standard output. */
async function errorsOf(reader: string, parameters: readonly string[], environment = {}): Promise<string> {
  const script = `{ "$0" "$@"; echo "exit code $?" >&2; } | ${reader}`;
  const options = { env: { ...process.env, ...environment } };
  const { stderr } = await promisify(execFile)('sh', ['-c', script, process.execPath, main, ...parameters], options);
  return stderr;
}

it('an import whose output is not read to its end goes on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-import-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // More lines than a pipe holds, so that some are written when the reader has left.
  for (let number = 100; number < 500; number += 1) {
    await writeFile(join(folder, `${number}${'-'.repeat(240)}.md`), 'A text.');
  }
  await writeFile(join(folder, 'z.jsonl'), '{"content": "A text."}\noops\n');
  const errors = await errorsOf('head -n 1', ['import', folder, '--agent=alice', '--dry-run']);
  expect(errors).toBe(`${join(folder, 'z.jsonl')}, line 2: it is not JSON\nexit code 1\n`);
});

it.each([
  [['import', '.', '--agent=alice', '--format=pdf'], 'Allowed choices are text, markdown, '],
  [['rebuild', 'gateway'], 'Allowed choices are '],
  [['import', '.', '--agent=alice', '--space=1e3'], 'The id of a space is a whole number'],
  [['import', '.', '--agent=..', '--dry-run'], 'An agent cannot be called "..".'],
  [['token', '--user=1e3'], 'A user id is a whole number greater than 0'],
  [['sign-in', '--user=1', '--days=31'], 'It has to be a whole number of days from 1 to 30.'],
  [['token', '--user=1', '--days=366'], 'It has to be a whole number of days from 1 to 365.'],
  [['reembed', '--model=foo'], '--model: must be <provider>:<model>'],
])('names what can be given instead: %j', async (parameters, advice) => {
  expect(await errorsOf('cat', parameters)).toContain(advice);
});

it('an error that nothing has caught is printed without its fields', async () => {
  const program = `process.stdout.write = () => {
    throw Object.assign(new Error('Not printed'), { authorization: 'SECRET' });
  };`;
  const preload = `--import=data:text/javascript;base64,${Buffer.from(program).toString('base64')}`;
  const errors = await errorsOf('cat', ['--help'], { NODE_OPTIONS: preload });
  expect(errors).toMatch(/^Error: Not printed\n +at .*\nexit code 1\n$/s);
  expect(errors).not.toContain('SECRET');
});

it('a variable that is empty counts as not set', async () => {
  const upload = ['import', main, '--agent=alice'];
  const withoutKey = await errorsOf('cat', [...upload, '--url=http://127.0.0.1:9'], { MNEME_API_KEY: '' });
  expect(withoutKey).toContain('NETWORK_ERROR');
  // No server takes this key, should one run at the usual address.
  const withoutUrl = await errorsOf('cat', upload, { MNEME_URL: '', MNEME_API_KEY: 'sk-1' });
  expect(withoutUrl).toContain('exit code 1');
  expect(withoutUrl).not.toContain('baseUrl must be');
});

it('an import that ended early is to be repeated only after a failure that passes', async () => {
  const advice = 'Run the same command again';
  const unreachable = await errorsOf('cat', ['import', main, '--agent=alice', '--url=http://127.0.0.1:9']);
  expect(unreachable).toContain(`could not be reached at http://127.0.0.1:9. ${advice} to continue.`);
  for (const final of [
    ['nowhere.md', '--dry-run'],
    [main, '--url=127.0.0.1:9'],
    [main, '--key=sk 1'],
  ]) {
    const errors = await errorsOf('cat', ['import', '--agent=alice', ...final]);
    expect(errors).toContain('The import ended early');
    expect(errors).not.toContain(advice);
  }
});

it('an import of webhooks says that nothing was imported where it could not begin', async () => {
  const nowhere = await errorsOf('cat', ['webhooks', 'import', 'nowhere.jsonl']);
  expect(nowhere).toContain('Nothing was imported. ENOENT');
  const damaged = await errorsOf('cat', ['webhooks', 'import', main]);
  expect(damaged).toContain('Nothing was imported. Line 1 is not JSON.');
  expect(nowhere + damaged).not.toContain('ended early');
});

it('a command whose output is not read ends quietly', async () => {
  expect(await errorsOf('true', ['token', '--user=1'], { JWT_SECRET: 's'.repeat(32) })).toBe('exit code 0\n');
});
