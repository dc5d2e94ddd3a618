// npm run bench -- neighbours [--mebibytes 1.2] [--agents 10] [--seconds 45] [--json]
// What an agent with little notices of others whose large documents are stored and replaced at the same time.
import { parseArgs } from 'node:util';
import { measureNeighbours } from './neighbours/measure-neighbours.ts';
import { neighboursTable } from './neighbours/neighbours-report.ts';
import { createHttpClient } from './system/http-client.ts';
import { startSystem, withTemporaryFolder } from './system/running-system.ts';
import { describeMachine, residentMb } from './timing/machine.ts';

const { values } = parseArgs({
  options: {
    mebibytes: { type: 'string', default: '1.2' },
    agents: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '45' },
    json: { type: 'boolean', default: false },
  },
});
const options = { mebibytes: Number(values.mebibytes), agents: Number(values.agents), seconds: Number(values.seconds) };

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
console.log(values.json ? JSON.stringify(report, null, 2) : neighboursTable(report));
