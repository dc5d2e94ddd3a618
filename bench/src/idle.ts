// npm run bench -- idle [--seconds 60] [--json]
// How much processor time the system takes while it is not used, beside that of its servers alone.
import { setTimeout as pause } from 'node:timers/promises';
import { startStack } from '@mneme/local-stack';
import { readOptions } from './system/options.ts';
import { type SystemWork, systemWork } from './system/process-use.ts';
import { startSystem, withTemporaryFolder } from './system/running-system.ts';
import { describeMachine, machineLine } from './timing/machine.ts';

/** What a start leaves to do is done after so many seconds. */
const restSeconds = 30;

const { json, seconds } = readOptions({ seconds: 60 });
const system = await withTemporaryFolder(measureSystem);
const floor = await withTemporaryFolder(measureServers);
const machine = describeMachine();
console.log(json ? JSON.stringify({ machine, seconds, system, floor }, null, 2) : table());

function table(): string {
  const percent = (used: number) => `${((100 * used) / seconds).toFixed(1)} %`;
  return [
    machineLine(machine),
    `Share of one core over ${seconds} seconds without a request`,
    '',
    '| | services | servers |',
    '|---|---|---|',
    `| the system | ${percent(system.services)} | ${percent(system.servers)} |`,
    `| floor: the servers alone | | ${percent(floor.servers)} |`,
  ].join('\n');
}

async function measureSystem(folder: string): Promise<SystemWork> {
  const { pid, stop } = await startSystem(folder, { EMBEDDING_MODEL: 'builtin:words' });
  return whileIdle(pid).finally(stop);
}

async function measureServers(folder: string): Promise<SystemWork> {
  const stack = await startStack({ dataDir: folder });
  return whileIdle(process.pid).finally(() => stack.stop());
}

async function whileIdle(pid: number): Promise<SystemWork> {
  await pause(restSeconds * 1_000);
  const before = await systemWork(pid);
  await pause(seconds * 1_000);
  const after = await systemWork(pid);
  if (!before || !after) throw new Error('This benchmark needs Linux, which counts the processor time in /proc.');
  return { services: after.services - before.services, servers: after.servers - before.servers };
}
