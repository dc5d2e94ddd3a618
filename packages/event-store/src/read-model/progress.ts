import { WireError } from '@mneme/contracts';

/** Something that follows the log. */
export interface Follower {
  /** Resolves true when it has applied `sequence`, false when that takes longer than `waitMs` milliseconds. */
  await(sequence: number, waitMs: number): Promise<boolean>;
}

/** Waits until what is derived from a log has caught up with it. */
export interface Progress {
  /**
   * Returns when the read model and the buckets have applied a sequence, so that a command holds everywhere.
   * @throws WireError 503 when that takes longer than 5 s; the command is recorded all the same.
   */
  confirm(sequence: number): Promise<void>;
  /** @throws WireError 503 when the read model does not reach the sequence within 5 s */
  reach(sequence: number | undefined): Promise<void>;
  /** Like `reach`, with everything that is in the log now. */
  catchUp(): Promise<void>;
}

export interface ProgressOptions {
  /** The JetStream stream, for messages. */
  readonly stream: string;
  readonly readModel: Follower;
  readonly buckets: readonly Follower[];
  /** The last sequence of the log. */
  readonly head: () => Promise<number>;
}

const waitMs = 5_000;

export function createProgress({ stream, readModel, buckets, head }: ProgressOptions): Progress {
  const reach = async (sequence: number | undefined) => {
    if (sequence === undefined || (await readModel.await(sequence, waitMs))) return;
    throw unavailable(`The read model has not applied event ${sequence} yet; try again`);
  };
  return {
    confirm: async (sequence) => {
      const followers = [readModel, ...buckets];
      const done = await Promise.all(followers.map((follower) => follower.await(sequence, waitMs)));
      if (done.every(Boolean)) return;
      const position = `${stream}:${sequence}`;
      throw unavailable(`The change is recorded as ${position}, and it is not sure yet that it holds everywhere`);
    },
    reach,
    catchUp: async () => reach(await head()),
  };
}

/** Looks for a row that never goes away or changes; what the read model lacks is believed to be missing when it has caught up. */
export async function findLasting<T>(
  { progress }: { readonly progress: Pick<Progress, 'catchUp'> },
  find: () => Promise<T | null>,
): Promise<T | undefined> {
  const found = await find();
  if (found) return found;
  await progress.catchUp();
  return (await find()) ?? undefined;
}

function unavailable(message: string): WireError {
  return new WireError({ status: 503, code: 'UNAVAILABLE', message });
}
