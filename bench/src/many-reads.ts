// npm run bench -- many-reads [--at-once 1000] [--units 2000] [--seconds 15] [--json]
// How long searches of one agent take while another agent has very many under way.
import { parseArgs } from 'node:util';
import { jwtSecret } from './access/first-user.ts';
import { type ManyReadsReport, measureManyReads } from './many-reads/measure-many-reads.ts';
import { withMeasuredSystem } from './system/measured-system.ts';
import { describeMachine, machineLine } from './timing/machine.ts';

const { values } = parseArgs({
  options: {
    'at-once': { type: 'string', default: '1000' },
    units: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});
const options = { atOnce: Number(values['at-once']), units: Number(values.units), seconds: Number(values.seconds) };
const report = await withMeasuredSystem({ JWT_SECRET: jwtSecret }, ({ client }) => measureManyReads(client, options));
const machine = describeMachine();
console.log(values.json ? JSON.stringify({ machine, ...options, ...report }, null, 2) : table(report));

function table({ alone, beside, loud, loudPerSecond }: ManyReadsReport): string {
  const row = (name: string, { requests, p50Ms, p95Ms }: ManyReadsReport['alone']) =>
    `| ${name} | ${requests} | ${p50Ms.toFixed(1)} | ${p95Ms.toFixed(1)} |`;
  return [
    machineLine(machine),
    `Two agents with ${options.units} memory units each; all services in one process`,
    '',
    '| searches of | answered | p50 ms | p95 ms |',
    '|---|---|---|---|',
    row('one agent, alone', alone),
    row('the same, beside the other', beside),
    row(`the other, ${options.atOnce} at once`, loud),
    '',
    `The other has ${loudPerSecond.toFixed(0)} searches per second answered.`,
  ].join('\n');
}
