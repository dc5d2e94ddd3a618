/** How much of a bucket each of those who share it has filled within a day. */
export interface BucketShares {
  /** Whether someone may add so many bytes. @throws what `measure` throws */
  hasRoom(name: string, bytes: number): Promise<boolean>;
  /** Notes what someone has added. */
  add(name: string, bytes: number): void;
}

export interface BucketSharesDeps {
  /** How many bytes the bucket has. */
  readonly measure: () => Promise<number>;
  /** How many it may have. */
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

const hourMs = 60 * 60 * 1_000;
/** An hour is forgotten when all that was added in it has expired. */
const hoursKept = 25;
/** How long the size of the bucket is taken from the last measurement, in milliseconds. */
const measureMs = 1_000;

/**
 * Lets each fill as much of a bucket as there is room left. So there is always room for those who have none, without a limit
 * that one meets while nobody else needs the bucket: one alone can have half of it. The rule is that of `createAdmission`.
 *
 * Counts what this gateway has added since it started: with g gateways, one alone can have g/(g+1) of the bucket.
 */
export function createBucketShares({ measure, maxBytes, clock = Date.now }: BucketSharesDeps): BucketShares {
  const added = createHourlySums(clock);
  let measured = { at: Number.NEGATIVE_INFINITY, size: Promise.resolve(0) };
  let addedSince = 0;
  const freeBytes = async () => {
    if (clock() - measured.at >= measureMs) {
      measured = { at: clock(), size: measure() };
      addedSince = 0;
    }
    return maxBytes - (await measured.size) - addedSince;
  };
  return {
    hasRoom: async (name, bytes) => added.of(name) + bytes <= (await freeBytes()),
    add: (name, bytes) => {
      added.add(name, bytes);
      addedSince += bytes;
    },
  };
}

/** Sums by name, in which an hour counts for a day. */
function createHourlySums(clock: () => number) {
  const hours: { readonly hour: number; readonly sums: Map<string, number> }[] = [];
  const dropOld = () => {
    const hour = Math.floor(clock() / hourMs);
    while (hours[0] && hours[0].hour <= hour - hoursKept) hours.shift();
    return hour;
  };
  return {
    of: (name: string) => {
      dropOld();
      return hours.reduce((sum, { sums }) => sum + (sums.get(name) ?? 0), 0);
    },
    add: (name: string, by: number) => {
      const hour = dropOld();
      if (hours.at(-1)?.hour !== hour) hours.push({ hour, sums: new Map() });
      const sums = hours.at(-1)?.sums;
      sums?.set(name, (sums.get(name) ?? 0) + by);
    },
  };
}
