import {
  Binary,
  type ClientSession,
  type Collection,
  type Db,
  type MongoClient,
  MongoError,
  type MongoServerError,
} from 'mongodb';

interface StoredSession {
  /** The session's id in hexadecimal. */
  readonly _id: string;
  readonly version: string;
  readonly instance: string;
}

/** Which instance writes which versions in which sessions. */
export const sessionsCollection = 'read_model_sessions';

export interface SessionPoolOptions {
  readonly client: MongoClient;
  readonly db: Db;
  /** Such as `memory@3`. */
  readonly key: string;
  readonly instance: string;
}

/**
 * The sessions that an instance writes in. They are written down, so that another instance can end what this one has left
 * open: a process that is killed in the middle of a transaction keeps its locks for up to a minute otherwise.
 */
export class SessionPool {
  readonly #options: SessionPoolOptions;
  readonly #stored: Collection<StoredSession>;
  readonly #free: ClientSession[] = [];
  readonly #all: ClientSession[] = [];

  constructor(options: SessionPoolOptions) {
    this.#options = options;
    this.#stored = options.db.collection(sessionsCollection);
  }

  /** Runs work in a transaction; it is called again when the transaction has to be repeated. */
  async transact(work: (session: ClientSession) => Promise<void>): Promise<void> {
    const session = this.#free.pop() ?? (await this.#open());
    try {
      await session.withTransaction((current) =>
        work(current).catch((error: unknown) => {
          throw labelledAsCause(error);
        }),
      );
    } finally {
      this.#free.push(session);
    }
  }

  /** Ends what instances have left open that write no more. @param living the instances that write, this one among them */
  async endOthers(living: readonly string[]): Promise<void> {
    const { db, key: version } = this.#options;
    // While this instance did not write, another one may have deleted them.
    for (const session of this.#all) await this.#store(session);
    const left = await this.#stored.find({ version, instance: { $nin: [...living] } }).toArray();
    if (left.length === 0) return;
    const ids = left.map(({ _id }) => ({ id: new Binary(Buffer.from(_id, 'hex'), Binary.SUBTYPE_UUID) }));
    // Where that is not allowed, the server ends the transactions itself in the end.
    await db.command({ killSessions: ids }).catch(() => undefined);
    await this.#stored.deleteMany({ _id: { $in: left.map(({ _id }) => _id) } });
  }

  async close(): Promise<void> {
    const { key: version, instance } = this.#options;
    await Promise.all(this.#all.map((session) => session.endSession()));
    await this.#stored.deleteMany({ version, instance });
  }

  async #open(): Promise<ClientSession> {
    const session = this.#options.client.startSession();
    this.#all.push(session);
    await this.#store(session);
    return session;
  }

  async #store(session: ClientSession): Promise<void> {
    const { key: version, instance } = this.#options;
    const id = session.id?.id;
    if (!id) throw new Error('The session has no id');
    await this.#stored.replaceOne({ _id: id.toString('hex') }, { version, instance }, { upsert: true });
  }
}

/** MongoDB's code for a write that conflicts with that of another transaction. */
const writeConflict = 112;

/**
 * The driver wraps what a bulk write over several collections fails with, and leaves out the label by which it knows that a
 * transaction may be repeated. Only for conflicts, which soon end: what a store that is away fails with is reported at once.
 */
function labelledAsCause(error: unknown): unknown {
  const isConflict = error instanceof MongoError && (error.cause as Partial<MongoServerError>)?.code === writeConflict;
  if (isConflict) error.addErrorLabel('TransientTransactionError');
  return error;
}
