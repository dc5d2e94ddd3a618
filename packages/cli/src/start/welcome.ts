/** What a person reads when everything runs: the address on a line of its own, and a first request to copy. */
export function welcome(options: { url: string; dataDir: string; logFile: string; models: string }): string {
  const { url, dataDir, logFile, models } = options;
  return `
Mneme is ready: ${url}

  API         ${url}/docs
  data        ${dataDir}
  log         ${logFile}

${models}

Store a memory and find it again:

  curl -s ${url}/api/memories/batch -H 'content-type: application/json' \\
    -d '{"agent_id":"demo","items":[{"content":"Alice moved to Lisbon last spring and works as a marine biologist."}]}'

  curl -s ${url}/api/search -H 'content-type: application/json' \\
    -d '{"agent_id":"demo","query":"Where does Alice live?"}'

Ctrl-C ends it; everything stored stays.
`;
}
