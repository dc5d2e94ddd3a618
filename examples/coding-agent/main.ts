import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const { MNEME_URL, MNEME_API_KEY } = process.env;
/** Each project is an agent with a memory of its own. */
const address = new URL('/mcp/coding-agent-example', MNEME_URL || 'http://127.0.0.1:8080');
const headers = MNEME_API_KEY ? { authorization: `Bearer ${MNEME_API_KEY}` } : {};
const question = process.argv[2] ?? 'How are the tests run here?';

/** What an agent might learn while it works. */
const learned = [
  'The tests of this project are run with vitest, never with jest.',
  'Anna decided that handlers of requests belong in the folder gateway.',
];

async function session<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'coding-agent-example', version: '0.1.0' });
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function call(client: Client, name: string, parameters: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: parameters });
  const said = (content as { text?: string }[]).map(({ text = '' }) => text).join('\n');
  if (isError) throw new Error(said);
  return said;
}

try {
  await session(async (client) => {
    const { tools } = await client.listTools();
    console.log(`First session, with the tools ${tools.map(({ name }) => name).join(', ')}`);
    for (const text of learned) {
      await call(client, 'remember', { content: text });
      console.log(`agent: I will remember: ${text}`);
    }
  });
  await session(async (client) => {
    const { messages } = await client.getPrompt({ name: 'start_session' });
    console.log(`\nSecond session, which begins with ${messages.length} message(s) of the prompt start_session`);
    console.log(`user: ${question}`);
    console.log(`agent, from its memory:\n${await call(client, 'recall', { query: question, limit: 1 })}`);
  });
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\nDoes Mneme run? Start it with: npm start`);
  process.exitCode = 1;
}
