// npm run bench -- neighbours [--mebibytes 1.2] [--agents 10] [--seconds 45] [--json]
// What an agent with little notices of others whose large documents are stored and replaced at the same time.
import { measureNeighbours } from './neighbours/measure-neighbours.ts';
import { neighboursTable } from './neighbours/neighbours-report.ts';
import { createHttpClient } from './system/http-client.ts';
import { readOptions } from './system/options.ts';
import { startSystem, withTemporaryFolder } from './system/running-system.ts';
import { describeMachine, residentMb } from './timing/machine.ts';

const { json, ...options } = readOptions({ mebibytes: 1.2, agents: 10, seconds: 45 });

const report = await withTemporaryFolder(async (folder) => {
  await using closing = new AsyncDisposableStack();
  const system = await startSystem(folder);
  closing.defer(() => system.stop());
  const client = createHttpClient(system.url);
  closing.defer(() => client.close());
  const metrics = async () => (await fetch(`${system.url}/metrics`)).text();
  const measured = await measureNeighbours({ client, metrics, residentMb: () => residentMb(system.pid) }, options);
  return { machine: describeMachine(), options, ...measured };
});
console.log(json ? JSON.stringify(report, null, 2) : neighboursTable(report));
