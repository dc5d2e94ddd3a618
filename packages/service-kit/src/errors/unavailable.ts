/**
 * Whether an error means that a server is out of reach, as opposed to a bug. The errors of drivers are recognised by their
 * names and codes, so that this package depends on none of them.
 */
export function isUnavailable(error: unknown): boolean {
  return withCauses(error).some(isConnectivityError);
}

/** How many causes of an error are checked. */
const maxCauses = 8;

/** An error, its cause, the cause of that and so on. */
export function withCauses(error: unknown): Error[] {
  const found: Error[] = [];
  for (let next = error; next instanceof Error && found.length < maxCauses; next = next.cause) found.push(next);
  return found;
}

const names: ReadonlySet<string> = new Set([
  'EventLogUnavailableError',
  'StreamMissingError',
  // NATS
  'ClosedConnectionError',
  'ConnectionError',
  'DrainingConnectionError',
  'NoResponders',
  'NoRespondersError',
  'TimeoutError',
  // MongoDB
  'MongoClientClosedError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoOperationTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoServerSelectionError',
  'MongoTopologyClosedError',
  'PoolClearedOnNetworkError',
  'WaitQueueTimeoutError',
  // Qdrant
  'CollectionGoneError',
  'QdrantClientTimeoutError',
]);

/** Of sockets and of fetch. */
const systemCodes: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CLOSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_DESTROYED',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** MongoDB servers that step down, shut down or cannot reach each other. */
const mongoCodes: ReadonlySet<number> = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

/** The statuses of a proxy, or of Qdrant while it starts, is overloaded or gets a request too slowly. */
const gatewayStatuses: ReadonlySet<number> = new Set([408, 502, 503, 504]);

function isConnectivityError(error: Error): boolean {
  const { code, status } = error as { code?: unknown; status?: unknown };
  if (names.has(error.name)) return true;
  if (typeof code === 'string' && systemCodes.has(code)) return true;
  if (String(error.name).startsWith('Mongo') && typeof code === 'number' && mongoCodes.has(code)) return true;
  // Only errors of HTTP clients; the status of a WireError means something else.
  if (error.name !== 'WireError' && typeof status === 'number' && gatewayStatuses.has(status)) return true;
  if (error instanceof AggregateError) return error.errors.some((inner) => isUnavailable(inner));
  return error instanceof TypeError && error.message === 'fetch failed';
}
