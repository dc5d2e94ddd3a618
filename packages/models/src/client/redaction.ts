const longestDetail = 300;
const looksLikeKey = /\b(?:sk|pk|key|api)[-_][\w*.-]{6,}|\bBearer\s+\S+/gi;

/** Makes what a server said fit for a message: one line, of bounded length, without the keys. */
export type Redaction = (text: string) => string;

export function createRedaction(secrets: readonly (string | undefined)[]): Redaction {
  const known = secrets.filter((secret) => secret !== undefined && secret !== '').map(String);
  return (text) => {
    const bare = known.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text).replace(looksLikeKey, '[key]');
    const line = bare.replace(/\s+/g, ' ').trim();
    return line.length > longestDetail ? `${line.slice(0, longestDetail)}...` : line;
  };
}
