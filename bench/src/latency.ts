// npm run bench -- latency [--units 10000] [--grown 100000] [--rounds 300] [--json]
// How long batches and searches take, beside the least that they could take on the same servers in the same run.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startStack } from '@mneme/local-stack';
import { createHttpClient } from './system/http-client.ts';
import { readOptions } from './system/options.ts';
import { type RunningSystem, startSystem, withTemporaryFolder } from './system/running-system.ts';
import { latencyTable, type StartFigures } from './timing/latency-report.ts';
import { describeMachine, residentMb } from './timing/machine.ts';
import { measureLatency } from './timing/measure-latency.ts';

const { json, units, grown: grownUnits, rounds } = readOptions({ units: 10_000, grown: 0, rounds: 300 });
const options = { units, grownUnits, rounds };
/** So long a process is left alone before its memory counts as idle, in milliseconds. */
const idleMs = 10_000;

const report = await withTemporaryFolder(async (folder) => {
  const dataDir = join(folder, 'servers');
  const cold = await startOnce(dataDir);
  const measured = await measure(folder, dataDir);
  const warm = await startOnce(dataDir);
  return { machine: describeMachine(), cold, warm, ...measured };
});
console.log(json ? JSON.stringify(report, null, 2) : latencyTable(report));

async function startOnce(dataDir: string): Promise<StartFigures> {
  const system = await startSystem(dataDir);
  try {
    return { readyMs: system.readyMs, idleMb: await idleMb(system) };
  } finally {
    await system.stop();
  }
}

/** The servers are the benchmark's own this time, because the floor needs their addresses. */
async function measure(folder: string, dataDir: string) {
  const stack = await startStack({ dataDir });
  try {
    const system = await startSystem(join(folder, 'services'), stack.settings);
    const client = createHttpClient(system.url);
    try {
      const run = await measureLatency({ client, residentMb: () => residentMb(system.pid) }, stack, options);
      return { ...run, usedMb: await idleMb(system) };
    } finally {
      client.close();
      await system.stop();
    }
  } finally {
    await stack.stop();
  }
}

async function idleMb({ pid }: RunningSystem): Promise<number | undefined> {
  await pause(idleMs);
  return residentMb(pid);
}
