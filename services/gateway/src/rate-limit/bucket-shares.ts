/** How much of a bucket each of those who share it has filled. */
export interface BucketShares {
  /** Counts so many bytes as added by someone. @returns false when there is no room for them @throws what `measure` throws */
  take(name: string, bytes: number): Promise<boolean>;
  /** Takes back what was not added after all. */
  giveBack(name: string, bytes: number): void;
}

export interface BucketSharesDeps {
  /** How many bytes the bucket has. */
  readonly measure: () => Promise<number>;
  /** How many it may have. */
  readonly maxBytes: number;
  /** How long the bucket keeps what is added, in milliseconds. */
  readonly ttlMs: number;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** In so many parts of its time to live, what was added is counted; a part is forgotten when all of it has expired. */
const parts = 24;
/** How long the size of the bucket is taken from the last measurement, in milliseconds. */
const measureMs = 1_000;

/**
 * Lets each fill as much of a bucket as there is room left. So there is always room for those who have none, without a limit
 * that one meets while nobody else needs the bucket: one alone can have half of it. The rule is that of `createAdmission`.
 *
 * Counts what this gateway has added since it started: with g gateways, one alone can have g/(g+1) of the bucket.
 */
export function createBucketShares({ measure, maxBytes, ttlMs, clock = Date.now }: BucketSharesDeps): BucketShares {
  const added = createRecentSums(ttlMs, clock);
  let measured = { at: Number.NEGATIVE_INFINITY, size: Promise.resolve(0) };
  let addedSince = 0;
  const sizeNow = () => {
    if (clock() - measured.at >= measureMs) {
      measured = { at: clock(), size: measure() };
      addedSince = 0;
    }
    return measured.size;
  };
  const add = (name: string, bytes: number) => {
    added.add(name, bytes);
    addedSince += bytes;
  };
  return {
    take: async (name, bytes) => {
      const size = await sizeNow();
      if (added.of(name) + bytes > maxBytes - size - addedSince) return false;
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
