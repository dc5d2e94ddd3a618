/**
 * The message of an error as it may be logged and shown to operators. Stores quote what they were asked and what was to be
 * written; that is left out of theirs. Recognised by name, because this package depends on no store.
 */
export function shownMessage({ name, message }: Pick<Error, 'name' | 'message'>): string {
  if (name.startsWith('Mongo')) return saidByMongo(message);
  return qdrantNames.has(name) ? saidByQdrant(message) : message;
}

/** Of responses that Qdrant refuses something with. */
const qdrantNames: ReadonlySet<string> = new Set(['CollectionGoneError', 'ResponseError']);

/** What MongoDB refused something with, without values. Of a query that it cannot plan, it repeats all: the last line says why. */
export function saidByMongo(message: string): string {
  const [before, ...query] = message.split('Tree:');
  const said = query.length === 0 ? message : `${before}: ${message.slice(message.lastIndexOf('\n') + 1).trim()}`;
  return withoutValues(said);
}

function saidByQdrant(message: string): string {
  const [head = ''] = /^\S+ answered \d+/.exec(message) ?? [];
  const [, error = ''] = /"error":"((?:[^"\\]|\\.)*)/.exec(message) ?? [];
  return `${head}: ${withoutValues(error.replaceAll('\\"', '"'))}`;
}

/** Documents and texts stand at the end of such messages; a text that is cut off has no end to look for. */
function withoutValues(said: string): string {
  const [shown = ''] = said.split(/[{"`]| '/);
  return shown.length < said.length ? `${shown}...` : said;
}
