import { type KeyRecord, keyRecordSchema } from '@mneme/contracts';
import { type RecordBucket, readRecord } from '../buckets.ts';
import { ShortCache } from '../short-cache.ts';

/** Finds issued keys by the SHA-256 of the key, in hexadecimal. */
export interface KeyRecords {
  /**
   * The record of a key that is valid now; undefined for an unknown, inactive, revoked or expired key.
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
  const readValid = async (key: string): Promise<KeyRecord | undefined> => {
    const record = await readRecord(records, { key, schema: keyRecordSchema, grants: isValid });
    return record && isValid(record) ? record : undefined;
  };
  return {
    findValid: async (keyHash) => {
      const record = cache.get(keyHash) ?? (await cache.refresh(keyHash, () => readValid(keyHash)));
      return record && isValid(record) ? record : undefined;
    },
  };
}
