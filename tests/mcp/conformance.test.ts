import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

const run = promisify(execFile);
const folder = dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'));
const program = join(folder, 'dist/index.js');

/** Those of the official suite that need no tools, resources and prompts made for it. */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

let system: SharedSystem;
beforeAll(async () => {
  system = await shareSystem();
  return system.release;
});

test.each(scenarios)('the official conformance check %s passes', async (scenario) => {
  const url = `${system.http.url}/mcp/conformance`;
  const { stdout } = await run(process.execPath, [program, 'server', '--url', url, '--scenario', scenario]);
  expect(stdout).not.toMatch(/✗|[1-9]\d* failed/);
});
