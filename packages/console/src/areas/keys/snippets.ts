interface SnippetOptions {
  readonly key: string;
  /** The agent that the key is bound to. */
  readonly agentId: string | undefined;
  /** Where the server is reached. */
  readonly origin: string;
}

/** Ready to paste, with the key in its place. */
export function snippetsFor({ key, agentId, origin }: SnippetOptions) {
  const agent = agentId ?? 'alice';
  const mcpUrl = `${origin}/mcp/${encodeURIComponent(agent)}`;
  return {
    sdk: `// packages/client/README.md in the repository of Mneme says how to install it.
import { Mneme } from '@mneme/client';

const mneme = new Mneme({ baseUrl: ${JSON.stringify(origin)}, apiKey: ${JSON.stringify(key)} });
const agent = mneme.agent(${JSON.stringify(agent)});
await agent.remember('Carla moved to Lisbon last spring.');
const { results } = await agent.recall('Where does Carla live?');`,
    mcp: `claude mcp add --transport http mneme ${quoted(mcpUrl)} --header "Authorization: Bearer ${key}"`,
    curl: `curl ${origin}/api/search -H "Authorization: Bearer ${key}" -H 'content-type: application/json' \\
  -d ${quoted(JSON.stringify({ agent_id: agent, query: 'Where does Carla live?' }))}`,
  };
}

/** One word for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w:/.%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
