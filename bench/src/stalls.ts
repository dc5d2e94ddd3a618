// npm run bench -- stalls [--json]
// How long requests that are made to be costly hold up the process of all services, and what memory they leave behind.
import { jwtSecret } from './access/first-user.ts';
import { measureStalls, type StallsRun } from './stalls/measure-stalls.ts';
import { createHttpClient } from './system/http-client.ts';
import { readOptions } from './system/options.ts';
import { startSystem, withTemporaryFolder } from './system/running-system.ts';
import { describeMachine, machineLine, residentMb } from './timing/machine.ts';

const { json } = readOptions({});

const report = await withTemporaryFolder(async (folder) => {
  await using closing = new AsyncDisposableStack();
  const system = await startSystem(folder, { JWT_SECRET: jwtSecret });
  closing.defer(() => system.stop());
  const metrics = async () => (await fetch(`${system.url}/metrics`)).text();
  return await measureStalls({
    connect: () => createHttpClient(system.url),
    metrics,
    residentMb: () => residentMb(system.pid),
  });
});
const machine = describeMachine();
console.log(json ? JSON.stringify({ machine, ...report }, null, 2) : table(report));

function table({ stalls, memoryMb: { before = Number.NaN, after = Number.NaN } }: StallsRun): string {
  return [
    machineLine(machine),
    'All services in one process, the default embedding model',
    '',
    '| requests | longest stall ms | until all is done s |',
    '|---|---|---|',
    ...stalls.map(
      ({ name, longestSeconds, seconds }) =>
        `| ${name} | ${(longestSeconds * 1_000).toFixed(0)} | ${seconds.toFixed(1)} |`,
    ),
    '',
    `Memory: ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB afterwards.`,
  ].join('\n');
}
