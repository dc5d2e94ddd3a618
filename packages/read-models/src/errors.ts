import { WireError } from '@mneme/contracts';
import { messageOf, saidByMongo, withoutCredentials } from '@mneme/service-kit';
import { MongoClientBulkWriteError, MongoError, MongoServerError } from 'mongodb';

/** The read model has not applied everything that an answer needs. @param extra further fields of the reply */
export function behind(message: string, extra: WireError['extra'] = {}): WireError {
  return new WireError({ status: 503, code: 'READ_MODEL_BEHIND', message, extra: { retry_after: 1, ...extra } });
}

/** A read has waited in vain. @param sequence of the event that it waited for; 0 for whatever its lane holds */
export function late(sequence: number): WireError {
  const reason =
    sequence === 0
      ? 'It is not certain what the read model has applied, because no instance answers for it now'
      : `The read model has not applied event ${sequence} yet`;
  return behind(`${reason}; try again`);
}

/** The read model is being built, and has no version that can answer. */
export function rebuilding(message: string): WireError {
  return new WireError({ status: 503, code: 'REBUILDING', message, extra: { retry_after: 5 } });
}

/** The connection to a store was lost meanwhile, and whether it has kept its data is not known yet. */
export function uncertain(readModel: string): WireError {
  const message = `The store of the read model ${readModel} was out of reach and has to be checked; try again`;
  return new WireError({ status: 503, code: 'UNAVAILABLE', message, extra: { retry_after: 1 } });
}

/** Whether a query has failed because somebody dropped or hid an index that it names. */
export function isIndexMissing(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.message.includes(missingIndex);
}

/** It has no code of its own. */
const missingIndex = 'hint provided does not correspond to an existing index';

/** A query needs an index that is missing. @param state of the index, such as `is being made again; try again` */
export function indexMissing(readModel: string, state: string, cause: MongoServerError): WireError {
  const message = `An index of the read model ${readModel} ${state}`;
  return new WireError({ status: 503, code: 'UNAVAILABLE', message, extra: { retry_after: 1 } }, { cause });
}

/** A rebuild was begun whose version cannot be made at the moment. @param key such as `memory@3` */
export function rebuildWaiting(key: string, cause: unknown): WireError {
  const message = `The rebuild waits, and goes on by itself: ${key} cannot be made at the moment. ${saidByStore(cause)}`;
  return conflict(message, { cause });
}

/** Another projector has moved the checkpoint: what was read is out of date and was not applied. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
  readonly from: number;

  constructor(projection: string, from: number, options?: ErrorOptions) {
    super(`The checkpoint of ${projection} is no longer at ${from}`, options);
    this.from = from;
  }
}

/** What is asked for cannot be done as things are. */
export function conflict(message: string, options?: ErrorOptions): WireError {
  return new WireError({ status: 409, code: 'CONFLICT', message }, options);
}

/**
 * Tells an operator why something could not be done; others would see an internal error.
 * @param prefix what the reason begins with
 * @throws WireError what the work was refused with; 409 with the reason, and the error as its cause, when it failed
 */
export async function explained<T>(work: () => Promise<T>, prefix = ''): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WireError) throw error;
    throw conflict(`${prefix}${reasonOf(error)}`, { cause: error });
  }
}

/** Why something failed, for operators. The driver says of a bulk write only that it failed; what each write met says why. */
export function reasonOf(error: unknown): string {
  if (error instanceof MongoClientBulkWriteError) {
    const [first] = error.writeErrors.values();
    if (first) return `MongoDB refused a write: ${saidByMongo(first.message)}`;
  }
  return messageOf(error);
}

const maxSaid = 500;
/** Longer texts are cut before they are searched. */
const maxSearched = 2_000;
const addresses = /\b[a-z][a-z\d+.-]*:\/\/\S+/gi;
const paths = /(?<![\w.])\.{0,2}(?:\/[\w.@~%+-]+){2,}\/?/g;

/** What a store has refused something with, and which one, without URLs and folders: they may hold passwords and names. */
export function saidByStore(error: unknown): string {
  const fromQdrant = repliedByQdrant(error);
  const store = fromQdrant !== undefined ? 'Qdrant: ' : error instanceof MongoError ? 'MongoDB: ' : '';
  const whole = fromQdrant ?? reasonOf(error);
  const said = whole.slice(0, maxSearched).replace(addresses, '[address]').replace(paths, '[path]');
  return `${store}${withoutCredentials(said).slice(0, maxSaid)}`;
}

/** One of its clients keeps the reply beside the message, which says no more than the status; the other one in the message. */
function repliedByQdrant(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { data } = error as { readonly data?: { readonly status?: { readonly error?: unknown } } };
  const replied = data?.status?.error ?? / answered \d+: .*"error":"((?:[^"\\]|\\.)*)/.exec(error.message)?.[1];
  return replied === undefined ? undefined : String(replied);
}
