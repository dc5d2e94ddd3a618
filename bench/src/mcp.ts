// npm run bench -- mcp [--units 10000] [--rounds 300] [--json]
// What MCP costs: the same question over the HTTP API, over MCP and over the stdio program, in turns, on one system.
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { firstUserToken, issueKey, jwtSecret } from './access/first-user.ts';
import type { HttpClient } from './system/http-client.ts';
import { withMeasuredSystem } from './system/measured-system.ts';
import { readOptions } from './system/options.ts';
import { describeMachine, machineLine } from './timing/machine.ts';
import { type Latency, race } from './timing/samples.ts';
import { questions, sentences } from './timing/sentences.ts';

interface McpReport {
  readonly latencies: Readonly<Record<'POST /api/search' | 'MCP over HTTP' | 'MCP over stdio', Latency>>;
}

const agentId = 'mcp-bench';
const batchSize = 500;
const warmUp = 50;
const limit = 10;
const program = join(import.meta.dirname, '../../packages/mcp/src/stdio.ts');

const { json, units, rounds } = readOptions({ units: 10_000, rounds: 300 });
const settings = { JWT_SECRET: jwtSecret, EMBEDDING_MODEL: 'builtin:words' };
const report = await withMeasuredSystem(settings, ({ client }) => measureMcp(client));
const machine = describeMachine();
console.log(json ? JSON.stringify({ machine, units, rounds, ...report }, null, 2) : table(report));

function table({ latencies }: McpReport): string {
  const floor = latencies['POST /api/search'].p50Ms;
  return [
    machineLine(machine),
    `${units} memory units, ${rounds} questions each, 10 results, with an API key`,
    '',
    '| recall by | p50 ms | p95 ms | p99 ms | p50 over REST |',
    '|---|---|---|---|---|',
    ...Object.entries(latencies).map(([name, { p50Ms, p95Ms, p99Ms }]) => {
      const figures = [p50Ms, p95Ms, p99Ms, p50Ms - floor].map((ms) => ms.toFixed(2));
      return `| ${name} | ${figures.join(' | ')} |`;
    }),
  ].join('\n');
}

async function measureMcp(client: HttpClient): Promise<McpReport> {
  const key = await issueKey(client, firstUserToken());
  const headers = { authorization: `Bearer ${key}` };
  await fill(client, headers);
  const asked = questions(2);
  const texts = Array.from({ length: warmUp + rounds }, () => asked.next().value);
  const url = new URL(`/mcp/${agentId}`, client.url);
  const overHttp = new Client({ name: 'bench', version: '1.0.0' });
  const overStdio = new Client({ name: 'bench', version: '1.0.0' });
  const env = { ...getDefaultEnvironment(), MNEME_API_KEY: key };
  await overHttp.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as never);
  await overStdio.connect(new StdioClientTransport({ command: process.execPath, args: [program, String(url)], env }));
  try {
    const latencies = await race(
      {
        'POST /api/search': async (round) => {
          await client.post('/api/search', { agent_id: agentId, query: texts[round], limit }, headers);
        },
        'MCP over HTTP': (round) => recall(overHttp, texts[round]),
        'MCP over stdio': (round) => recall(overStdio, texts[round]),
      },
      { rounds, warmUp },
    );
    return { latencies };
  } finally {
    await Promise.all([overHttp.close(), overStdio.close()]);
  }
}

async function recall(client: Client, query: string | undefined): Promise<void> {
  const { isError } = await client.callTool({ name: 'recall', arguments: { query, limit } });
  if (isError) throw new Error('recall failed');
}

async function fill(client: HttpClient, headers: Readonly<Record<string, string>>): Promise<void> {
  const texts = sentences(1);
  for (let stored = 0; stored < units; stored += batchSize) {
    const count = Math.min(batchSize, units - stored);
    const items = Array.from({ length: count }, () => ({ content: texts.next().value }));
    await client.post('/api/memories/batch', { agent_id: agentId, items }, headers);
  }
}
