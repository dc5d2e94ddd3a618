import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';

/** On a machine that also does other work a process may take many times as long as usual. */
const endsWithinMs = 20_000;

/** Runs a module that can make loggers. @param stdout a file for its standard output */
async function runModule(code: string, stdout = '/dev/null') {
  const imports = Object.entries({ createLogger: './logger.ts', createLogStream: './log-stream.ts' }).map(
    ([name, file]) => `import { ${name} } from '${new URL(file, import.meta.url).href}';`,
  );
  const output = await open(stdout, 'w');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', [...imports, code].join('\n')], {
    stdio: ['ignore', output.fd, 'pipe'],
  });
  await output.close();
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

it.each([
  ['in a file', `createLogger({ destination: createLogStream('/dev/full') })`, '/dev/null'],
  ['of standard output', 'createLogger({})', '/dev/full'],
])('a log %s on a full disk stops no process, and no end of one', async (_, logger, stdout) => {
  const child = await runModule(
    `const logger = ${logger};
    process.once('SIGTERM', () => { logger.info('Ending'); process.exit(0); });
    let lines = 0;
    setInterval(() => { logger.info('A line'); lines += 1; if (lines === 20) console.error('goes on'); }, 5);`,
    stdout,
  );
  const lines = createInterface(child.stderr as Readable);
  expect(await Promise.race([once(lines, 'line'), once(child, 'exit')])).toEqual(['goes on']);
  const exit = once(child, 'exit', { signal: AbortSignal.timeout(endsWithinMs) });
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});

it('writes what was logged right before the process ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'a.log');
  const child = await runModule(
    `const stream = createLogStream('${file}');
    stream.once('ready', () => {
      const logger = createLogger({ destination: stream });
      for (let line = 0; line < 100; line += 1) logger.info({ line }, 'A line');
      process.exit(0);
    });`,
  );
  expect(await once(child, 'exit')).toEqual([0, null]);
  const written = (await readFile(file, 'utf8')).trimEnd().split('\n');
  // What is being written when the process ends may come after the rest.
  const lines = written.map((line) => JSON.parse(line).line).sort((one, other) => one - other);
  expect(lines).toEqual(Array.from({ length: 100 }, (_, line) => line));
});
