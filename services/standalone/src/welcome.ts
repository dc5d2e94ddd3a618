import { tokenDays } from './first-user.ts';

export interface Welcome {
  readonly url: string;
  readonly dataDir: string;
  readonly logFile: string;
  /** Which models are in use. */
  readonly models: string;
  /** Of the first user; undefined when tokens come from elsewhere. */
  readonly token?: string | undefined;
  /** The path of the console that signs a browser in as the first user; undefined like the token. */
  readonly signInPath?: string | undefined;
  /** Whether memory requests need credentials. */
  readonly isGuarded: boolean;
  /** How the `mneme` command is run. */
  readonly command: string;
  /** Why read models cannot answer yet; empty when all can. */
  readonly unready: readonly string[];
}

/** The text that is printed when everything runs: the address on a line of its own, and requests to copy. */
export function welcome(told: Welcome): string {
  const { url, dataDir, logFile, models, token, signInPath, isGuarded, command, unready } = told;
  const credential = `-H "authorization: Bearer $TOKEN" `;
  const headers = `${isGuarded ? credential : ''}-H 'content-type: application/json'`;
  return `
Mneme is ready: ${url}

  console     ${url}${signInPath ?? '/'}
${signInPath === undefined ? '' : codeLine}  API         ${url}/docs
  data        ${dataDir}
  log         ${logFile}
${token === undefined ? '' : tokenLines(token, command)}
${models}
${unready.length === 0 ? '' : unreadyLines(unready, command)}
${isGuarded ? 'TOKEN is a token or key. ' : ''}Store a memory and find it again:

  curl -s ${url}/api/memories/batch ${headers} \\
    -d '{"agent_id":"demo","items":[{"content":"Alice moved to Lisbon last spring and works as a marine biologist."}]}'

  curl -s ${url}/api/search ${headers} \\
    -d '{"agent_id":"demo","query":"Where does Alice live?"}'
${token === undefined ? '' : keyLines(url, credential)}
Press Ctrl-C to stop. Stored data is kept.
`;
}

/** Printed after a text that says that read models cannot answer yet. */
export const allAnswer = 'All read models answer now.\n';

function unreadyLines(reasons: readonly string[], command: string): string {
  return `
${reasons.map((reason) => `${reason}.`).join('\n')}
Requests that read it return 503 until it has caught up with the log. To see how far it is: ${command} read-models
`;
}

const codeLine = `              signs this browser in as user 1, once, within 10 minutes
`;

function tokenLines(token: string, command: string): string {
  return `  token       ${token}
              of user 1 for ${tokenDays} days; ${command} token --user 1 makes another
`;
}

function keyLines(url: string, credential: string): string {
  return `
Create an API key for a program; TOKEN is the token above:

  curl -s ${url}/api/v3/api-keys ${credential}-H 'content-type: application/json' \\
    -d '{"project_id":1,"name":"My assistant"}'
`;
}
