import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);

/** Runs a program that cannot write one byte to any file, which fails as on a full disk. */
async function runWithoutRoom(program: string): Promise<string> {
  const limited = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, '--input-type=module', '--eval', program];
  return (await run('sh', limited, { env: { ...process.env, NODE_COMPILE_CACHE: '' } })).stdout;
}

const moduleOf = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);

it.each([
  ['jwt-secret', './local-secret.ts', "localSecret(folder, 'jwt-secret')"],
  ['nats-server.conf', './private-files.ts', "await writePrivateFile(folder + '/nats-server.conf', 'port: 1')"],
  ['nats-url', './address-file.ts', "writeAddress(folder, 'nats-url', 'nats://127.0.0.1:1')"],
])('a write of %s to a full disk fails with its path, and leaves nothing', async (name, file, write) => {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const printed = await runWithoutRoom(`
    const { localSecret, writePrivateFile, writeAddress } = await import(${moduleOf(file)});
    const folder = ${JSON.stringify(folder)};
    try { ${write} } catch (error) { console.log(error.message) }`);
  expect(printed).toBe(`EFBIG: file too large, write '${join(folder, name)}'\n`);
  expect(await readdir(folder)).toEqual([]);
});
