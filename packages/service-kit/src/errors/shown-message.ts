/**
 * The message of an error as it may be logged and shown to operators. Stores quote what they were asked and what was to be
 * written; that is left out of theirs. Recognised by name, because this package depends on no store.
 */
export function shownMessage({ name, message }: Pick<Error, 'name' | 'message'>): string {
  // An error may have whatever somebody has put there.
  const said = String(message);
  if (mongoNames.has(String(name))) return saidByMongo(said);
  return qdrantNames.has(String(name)) ? saidByQdrant(said) : said;
}

/** Of what the server of MongoDB refuses something with; other errors of its driver tell of settings and connections. */
const mongoNames: ReadonlySet<string> = new Set([
  'MongoBulkWriteError',
  'MongoClientBulkWriteError',
  'MongoServerError',
  'MongoUnexpectedServerResponseError',
  'MongoWriteConcernError',
]);

/** Of responses that Qdrant refuses something with. */
const qdrantNames: ReadonlySet<string> = new Set(['CollectionGoneError', 'ResponseError']);

/** What MongoDB refused something with, without values. Of a query that it cannot plan, it repeats all: the last line says why. */
export function saidByMongo(message: string): string {
  if (namesIndexes.test(message)) return message;
  const [before, ...query] = message.split('Tree:');
  const said = query.length === 0 ? message : `${before}: ${message.slice(message.lastIndexOf('\n') + 1).trim()}`;
  return withoutValues(said);
}

/** Two indexes that are in each other's way: keys and options, and nothing of a row. */
const namesIndexes = /^An (?:existing|equivalent) index [^{]*\bRequested index: \{/;

function saidByQdrant(message: string): string {
  const [head = ''] = /^\S+ answered \d+: ?/.exec(message) ?? [];
  const [, error] = /"error":"((?:[^"\\]|\\.)*)/.exec(message) ?? [];
  const said = error === undefined ? firstWords(message.slice(head.length)) : error.replaceAll('\\"', '"');
  return `${head}${withoutValues(said)}`;
}

/** What a proxy, or Qdrant before it reads a request, says in plain words. */
function firstWords(body: string): string {
  const [line = ''] = body.split(/[<\n]/);
  return line.slice(0, maxPlainWords);
}

const maxPlainWords = 100;

/**
 * Documents and texts stand at the end of such messages; a text that is cut off has no end to look for. Names in backticks
 * stay, such as that of a collection; but what takes one of some names repeats what it was given instead.
 */
function withoutValues(said: string): string {
  const [shown = ''] = beforeValues.exec(said) ?? [];
  return shown.length < said.length ? `${shown}...` : said;
}

const beforeValues = /^(?:(?<!\bvariant )`[a-z_][\w@.-]{0,99}`|(?! ')[^{"`])*/i;
