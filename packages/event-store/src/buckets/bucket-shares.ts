/** How much of a bucket each of those who share it has filled. */
export interface BucketShares {
  /** Counts so many bytes as added by someone. @returns false when there is no room for them @throws what `freeBytes` throws */
  take(name: string, bytes: number): Promise<boolean>;
  /** Takes back what was not added after all. */
  giveBack(name: string, bytes: number): void;
}

export interface BucketSharesDeps {
  /** How many bytes may be added to the bucket. */
  readonly freeBytes: () => Promise<number>;
  /** How long the bucket keeps what is added, in milliseconds. */
  readonly ttlMs: number;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** In so many parts of its time to live, what was added is counted; a part is forgotten when all of it has expired. */
const parts = 24;
/** How long the last measurement is used, in milliseconds. */
const measureMs = 1_000;

/**
 * Lets each fill as much of a bucket as there is room left. So there is always room for those who have none, without a limit
 * that one meets while nobody else needs the bucket: one alone can have half of it. The rule is that of dynamic thresholds for the
 * shared memory of switches, with factor 1 (Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998).
 *
 * Counts what this process has added since it started: with n of them, one alone can have n/(n+1) of the bucket.
 */
export function createBucketShares({ freeBytes, ttlMs, clock = Date.now }: BucketSharesDeps): BucketShares {
  const added = createRecentSums(ttlMs, clock);
  let measured = { at: Number.NEGATIVE_INFINITY, free: Promise.resolve(0) };
  let addedSince = 0;
  const freeNow = () => {
    if (clock() - measured.at >= measureMs) {
      measured = { at: clock(), free: freeBytes() };
      addedSince = 0;
    }
    return measured.free;
  };
  const add = (name: string, bytes: number) => {
    added.add(name, bytes);
    addedSince += bytes;
  };
  return {
    take: async (name, bytes) => {
      const free = await freeNow();
      if (added.of(name) + bytes > free - addedSince) return false;
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
