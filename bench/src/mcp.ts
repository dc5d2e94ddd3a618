// npm run bench -- mcp [--units 10000] [--rounds 300] [--json]
// What MCP costs: the same question over the HTTP API, over MCP and over the stdio program, in turns, on one system.
import { parseArgs } from 'node:util';
import { jwtSecret } from './access/first-user.ts';
import { type McpReport, measureMcp } from './mcp/measure-mcp.ts';
import { withMeasuredSystem } from './system/measured-system.ts';
import { describeMachine, machineLine } from './timing/machine.ts';

const { values } = parseArgs({
  options: {
    units: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '300' },
    json: { type: 'boolean', default: false },
  },
});
const options = { units: Number(values.units), rounds: Number(values.rounds) };
const settings = { JWT_SECRET: jwtSecret, EMBEDDING_MODEL: 'builtin:words' };
const report = await withMeasuredSystem(settings, ({ client }) => measureMcp(client, options));
const machine = describeMachine();
console.log(values.json ? JSON.stringify({ machine, ...options, ...report }, null, 2) : table(report));

function table({ latencies }: McpReport): string {
  const floor = latencies['POST /api/search'].p50Ms;
  return [
    machineLine(machine),
    `${options.units} memory units, ${options.rounds} questions each, 10 results, with an API key`,
    '',
    '| recall by | p50 ms | p95 ms | p99 ms | p50 over REST |',
    '|---|---|---|---|---|',
    ...Object.entries(latencies).map(([name, { p50Ms, p95Ms, p99Ms }]) => {
      const figures = [p50Ms, p95Ms, p99Ms, p50Ms - floor].map((ms) => ms.toFixed(2));
      return `| ${name} | ${figures.join(' | ')} |`;
    }),
  ].join('\n');
}
