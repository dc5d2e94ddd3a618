/** What the program needs to know; its message says what is missing or wrong. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

export interface Settings {
  /** Address of the server, without `/mcp`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The agent in the address; undefined: that of the key. */
  readonly agentId: string | undefined;
  readonly isAdmin: boolean;
}

/** @param script the path that the program was started with: a source file in a checkout, else what npm has installed */
export function usageOf(script: string): string {
  const program = script.endsWith('.ts') ? `node ${script}` : 'mneme-mcp';
  return `Usage: MNEME_API_KEY=sk-... ${program} <url>

  <url>  Address of the Mneme server and the agent, as for MCP over HTTP:
         https://memory.example.com/mcp/<agent>  or, with a key that is bound to an agent,  https://memory.example.com/mcp
         ?tools=admin adds tools for operations, the profile and erasure. Instead of <url>: MNEME_URL.
`;
}

/**
 * Reads the address from the arguments or `MNEME_URL`, and the key from `MNEME_API_KEY`: arguments can be seen by every
 * user of the machine.
 * @throws SettingsError naming everything that is missing, or what is wrong; it never shows the key
 */
export function readSettings(args: readonly string[], env: NodeJS.ProcessEnv): Settings {
  const [given = env.MNEME_URL, ...others] = args;
  const apiKey = env.MNEME_API_KEY?.trim();
  const missing = [
    ...(given ? [] : ['the address of the server (as the argument, or in MNEME_URL)']),
    ...(apiKey ? [] : ['an API key (in MNEME_API_KEY)']),
  ];
  if (!given || !apiKey) throw new SettingsError(`Missing: ${missing.join(', and ')}`);
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new SettingsError('MNEME_API_KEY is not valid: it has blanks or other characters that no key has');
  }
  if (others.length > 0) throw new SettingsError(`Unexpected argument: ${others[0]}`);
  return { ...readAddress(given), apiKey };
}

function readAddress(given: string): Omit<Settings, 'apiKey'> {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new SettingsError(`Not an http or https address: ${given}`);
  const [, before = '', encoded] = /^(.*?)(?:\/mcp(?:\/([^/]+))?)?\/*$/.exec(url.pathname) ?? [];
  const tools = url.searchParams.get('tools');
  if (tools !== null && tools !== 'admin') throw new SettingsError(`tools can only be admin: ${tools}`);
  return { baseUrl: url.origin + before, agentId: decode(encoded, given), isAdmin: tools === 'admin' };
}

function decode(encoded: string | undefined, given: string): string | undefined {
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    throw new SettingsError(`Not an http or https address: ${given}`);
  }
}
