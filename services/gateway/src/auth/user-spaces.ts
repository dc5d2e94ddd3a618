import { type SpaceOwner, spaceName, spaceOwnerSchema, userIdPattern } from '@mneme/contracts';
import { type RecordBucket, readIfThere } from '../buckets.ts';
import { forbidden } from '../errors.ts';
import { ShortCache } from '../short-cache.ts';

/** Looks up the spaces of users. */
export interface UserSpaces {
  /**
   * The space that a user works in.
   * @param wanted the space id that the request names; the personal space unless given
   * @throws WireError 403 when it is not a space of the user
   */
  choose(userId: number, wanted: string | undefined, ensureUser: EnsureUser): Promise<string>;
}

/** Requests a user from the keys service, which creates the user on first contact. */
export type EnsureUser = (userId: number) => Promise<SpaceOwner>;

/** Reads the bucket `space-owners`, and caches its records for 100 ms. */
export function createUserSpaces(records: RecordBucket): UserSpaces {
  const cache = new ShortCache<SpaceOwner>();
  return {
    choose: async (userId, wanted, ensureUser) => {
      if (wanted !== undefined && !userIdPattern.test(wanted)) throw notYours();
      // Users only gain spaces, so a space that is not in a record may be new.
      const grants = ({ spaceIds }: SpaceOwner) => wanted === undefined || spaceIds.includes(Number(wanted));
      const key = String(userId);
      const read = () => readIfThere(records, { key, schema: spaceOwnerSchema, grants });
      const known = cache.get(key);
      const owner = known && grants(known) ? known : ((await cache.refresh(key, read)) ?? (await ensureUser(userId)));
      if (!grants(owner)) throw notYours();
      return spaceName(wanted === undefined ? owner.personalSpaceId : Number(wanted));
    },
  };
}

function notYours() {
  return forbidden('X-Space-Id has to name one of your spaces');
}
