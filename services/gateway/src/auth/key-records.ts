import { type KeyRecord, keyRecordSchema } from '@mneme/contracts';
import { type RecordBucket, readNewest, readRecord } from '../buckets.ts';
import { ShortCache } from '../short-cache.ts';

/** Finds issued keys by the SHA-256 of the key, in hexadecimal. */
export interface KeyRecords {
  /**
   * The record of a key that is valid now; undefined for an unknown, inactive, revoked or expired key. An old key is valid
   * only while the one that has replaced it is, and has the scopes and the limit of that one.
   * @throws WireError 503 when the records are being rebuilt and there is none of the key yet
   */
  findValid(keyHash: string): Promise<KeyRecord | undefined>;
}

export interface KeyRecordsDeps {
  /** `api-keys`. */
  readonly records: RecordBucket;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Reads the bucket `api-keys`, and caches valid records for 100 ms. A change of a key is answered after that time, so
 * that a key which was deactivated, replaced or revoked is refused from the next request on. A replica of the bucket that
 * lags behind can delay this by a second at most.
 */
export function createKeyRecords({ records, clock }: KeyRecordsDeps): KeyRecords {
  const cache = new ShortCache<KeyRecord>();
  const isValid = ({ state, expiresAt }: KeyRecord) =>
    state === 'active' && (expiresAt === null || Date.parse(expiresAt) > clock());
  const read = async (key: string): Promise<KeyRecord | undefined> => {
    const record = await readRecord(records, { key, schema: keyRecordSchema, grants: isValid });
    return record && isValid(record) ? record : undefined;
  };
  // The newer key is not taken from the cache: the age of the two together would be more than 100 ms.
  const asNewerKey = async (record: KeyRecord): Promise<KeyRecord | undefined> => {
    if (record.countedAs === undefined) return record;
    const newer = await read(record.countedAs);
    if (!newer || newer.countedAs !== undefined) return undefined;
    return { ...record, scopes: newer.scopes, rateLimit: newer.rateLimit };
  };
  const readValid = async (key: string): Promise<KeyRecord | undefined> => {
    const record = await read(key);
    const valid = record && (await asNewerKey(record));
    if (!record || valid) return valid;
    // A repeated rotation replaces the newer key by another one, which the old key is counted as from then on.
    const newest = await readNewest(records, { key, schema: keyRecordSchema });
    return newest && isValid(newest) ? asNewerKey(newest) : undefined;
  };
  return {
    findValid: async (keyHash) => {
      const record = cache.get(keyHash) ?? (await cache.refresh(keyHash, () => readValid(keyHash)));
      return record && isValid(record) ? record : undefined;
    },
  };
}
