import { type Settings, SettingsError } from './settings.ts';

const question = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'mneme://profile' } };
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const timeoutMs = 30_000;

interface Reply {
  readonly result?: { readonly contents: readonly { readonly text: string }[] };
  readonly error?: { readonly message: string };
  readonly detail?: string;
}

/**
 * Asks the server, over MCP itself, which agent a key is bound to.
 * @throws SettingsError when it is bound to none, or the server cannot be asked
 */
export async function agentOfKey({ baseUrl, apiKey }: Settings): Promise<string> {
  const request = { method: 'POST', headers: { ...headers, authorization: `Bearer ${apiKey}` } };
  const reply = await ask(`${baseUrl}/mcp`, { ...request, body: JSON.stringify(question) });
  const [profile] = reply.result?.contents ?? [];
  if (profile) return (JSON.parse(profile.text) as { readonly agent_id: string }).agent_id;
  throw new SettingsError(reply.error?.message ?? reply.detail ?? `${baseUrl}/mcp is not that of a Mneme server`);
}

async function ask(url: string, request: RequestInit): Promise<Reply> {
  try {
    // A redirection to another origin would be followed without the key.
    const sent = { ...request, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) } as const;
    return (await (await fetch(url, sent)).json()) as Reply;
  } catch {
    throw new SettingsError(`${url} cannot be reached, redirects, or is not that of a Mneme server`);
  }
}
