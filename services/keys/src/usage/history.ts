import type { KeyHistoryReply, UsageBucket, UsageCount } from '@mneme/contracts';
import { makeIndexes } from '@mneme/read-models';
import type { Collection, Db } from 'mongodb';

/** How often a key was used within an hour. */
interface StoredHour {
  /** Id of the key and beginning of the hour, such as `7/1767225600000`. */
  readonly _id: string;
  readonly keyId: number;
  readonly hour: Date;
  readonly requests: number;
  readonly refused: number;
}

/**
 * The usage of keys over time. It is made of what gateways tell instead of the log, and has no versions: it is not there
 * again after the database was lost.
 */
export interface UsageHistory {
  add(counts: readonly UsageCount[]): Promise<void>;
  /** @param since ISO 8601; null: as far back as usual */
  read(key: { keyId: number; bucket: UsageBucket; since: string | null }, now: Date): Promise<KeyHistoryReply>;
}

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
/** How long hours are kept, in days. */
const keptDays = 90;
/** By bucket, in milliseconds: the length of a point, how far back it begins by default, and at most. */
const spans = {
  hour: { lengthMs: hourMs, usualMs: dayMs, longestMs: 31 * dayMs },
  day: { lengthMs: dayMs, usualMs: 30 * dayMs, longestMs: keptDays * dayMs },
} as const;

export async function openUsageHistory(db: Db): Promise<UsageHistory> {
  const hours: Collection<StoredHour> = db.collection('access_key_usage_hours');
  const expireAfterSeconds = (keptDays + 1) * 24 * 60 * 60;
  await makeIndexes([[hours, [{ key: { hour: 1 }, expireAfterSeconds }, { key: { keyId: 1, hour: 1 } }]]]);
  return {
    add: async (counts) => {
      const writes = counts.map(({ keyId, hour, requests, refused }) => ({
        updateOne: {
          filter: { _id: `${keyId}/${hour}` },
          update: { $inc: { requests, refused }, $setOnInsert: { keyId, hour: new Date(hour) } },
          upsert: true,
        },
      }));
      if (writes.length > 0) await hours.bulkWrite(writes, { ordered: false });
    },
    read: async ({ keyId, bucket, since }, now) => {
      const begin = beginOf(bucket, since, now.getTime());
      const found = await hours.find({ keyId, hour: { $gte: new Date(begin) } }).toArray();
      const points = pointsOf(found, spans[bucket].lengthMs, begin, now.getTime());
      return { id: keyId, bucket, since: new Date(begin).toISOString(), points };
    },
  };
}

/** The beginning of the first point, in milliseconds since 1970. */
function beginOf(bucket: UsageBucket, since: string | null, nowMs: number): number {
  const { lengthMs, usualMs, longestMs } = spans[bucket];
  const wanted = since === null ? nowMs - usualMs : Date.parse(since);
  const earliest = Math.max(wanted, nowMs - longestMs);
  return Math.floor(earliest / lengthMs) * lengthMs;
}

function pointsOf(hours: readonly StoredHour[], lengthMs: number, begin: number, nowMs: number) {
  const points: { start: string; requests: number; refused: number }[] = [];
  for (let start = begin; start <= nowMs; start += lengthMs) {
    const within = hours.filter(({ hour }) => hour.getTime() >= start && hour.getTime() < start + lengthMs);
    const sum = (of: 'requests' | 'refused') => within.reduce((total, each) => total + each[of], 0);
    points.push({ start: new Date(start).toISOString(), requests: sum('requests'), refused: sum('refused') });
  }
  return points;
}
