import { oneAtATime } from '@mneme/workers/once';

/** How much of a shared bucket each owner has filled. */
export interface BucketShares {
  /** Counts bytes as added by an owner. @returns false when there is no room for them @throws what `freeBytes` throws */
  take(name: string, bytes: number): Promise<boolean>;
  /** Takes back what was not added after all. */
  giveBack(name: string, bytes: number): void;
}

export interface BucketSharesDeps {
  /** How many bytes may be added to the bucket. */
  readonly freeBytes: () => Promise<number>;
  /** How long the bucket keeps what is added, in milliseconds. */
  readonly ttlMs: number;
  /** How many times the free space one owner may fill; 8 unless given. */
  readonly factor?: number;
  /** A monotonic clock in milliseconds; that of `performance` unless given. */
  readonly clock?: () => number;
}

/** The time to live has this many periods. Bytes are counted by period, which is forgotten when all of it has expired. */
const parts = 24;
/** How long the last measurement is used, in milliseconds. */
const measureMs = 1_000;

/**
 * Lets each fill `factor` times as much of a bucket as there is room left. So there is always room for those who have none,
 * without a limit that one meets while no other needs the bucket: one alone can have f/(f+1) of it. The rule is that of
 * dynamic thresholds for the shared memory of switches (Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998).
 *
 * Counts what this process has added since it started: with n of them, one alone can have nf/(nf+1) of the bucket.
 */
export function createBucketShares(deps: BucketSharesDeps): BucketShares {
  const { freeBytes, ttlMs, factor = 8, clock = () => performance.now() } = deps;
  const added = createRecentSums(ttlMs, clock);
  let measured: { readonly at: number; readonly free: number } | undefined;
  let addedSince = 0;
  const measure = oneAtATime(async () => {
    const [at, addedBefore] = [clock(), addedSince];
    measured = { at, free: await freeBytes() };
    // What is added while it is measured may be counted in it already, or not.
    addedSince -= addedBefore;
  });
  const untilMeasured = async () => {
    if (measured === undefined) await measure();
    // No caller waits for it, nor fails with it.
    else if (clock() - measured.at >= measureMs) measure().catch(() => undefined);
  };
  const add = (name: string, bytes: number) => {
    added.add(name, bytes);
    addedSince += bytes;
  };
  return {
    take: async (name, bytes) => {
      await untilMeasured();
      const free = (measured?.free ?? 0) - addedSince;
      if (added.of(name) + bytes > factor * free) return false;
      add(name, bytes);
      return true;
    },
    giveBack: (name, bytes) => add(name, -bytes),
  };
}

/** Sums by name of what was added within a time. */
function createRecentSums(ttlMs: number, clock: () => number) {
  const recent: { readonly part: number; readonly sums: Map<string, number> }[] = [];
  const dropOld = () => {
    const part = Math.floor((clock() * parts) / ttlMs);
    while (recent[0] && recent[0].part < part - parts) recent.shift();
    return part;
  };
  return {
    of: (name: string) => {
      dropOld();
      return recent.reduce((sum, { sums }) => sum + (sums.get(name) ?? 0), 0);
    },
    add: (name: string, by: number) => {
      const part = dropOld();
      if (recent.at(-1)?.part !== part) recent.push({ part, sums: new Map() });
      const sums = recent.at(-1)?.sums;
      sums?.set(name, (sums.get(name) ?? 0) + by);
    },
  };
}
