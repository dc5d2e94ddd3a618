import { type SpaceOwner, spaceName, spaceOwnerSchema } from '@mneme/contracts';
import type { ConnectionWatch } from '@mneme/event-store';
import type { KV } from '@nats-io/kv';
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
export function createUserSpaces(deps: { bucket: KV; watch: ConnectionWatch }): UserSpaces {
  const cache = new ShortCache<SpaceOwner>();
  const read = (userId: number) => cache.refresh(String(userId), () => find(deps, userId));
  return {
    choose: async (userId, wanted, ensureUser) => {
      if (wanted !== undefined && !isSpaceId(wanted)) throw notYours();
      const known = cache.get(String(userId));
      // Users only gain spaces, so a space that is not in a cached record may be new.
      const isEnough = known && (wanted === undefined || known.spaceIds.includes(Number(wanted)));
      const owner = isEnough ? known : ((await read(userId)) ?? (await ensureUser(userId)));
      if (wanted === undefined) return spaceName(owner.personalSpaceId);
      if (!owner.spaceIds.includes(Number(wanted))) throw notYours();
      return spaceName(Number(wanted));
    },
  };
}

async function find({ bucket, watch }: { bucket: KV; watch: ConnectionWatch }, userId: number) {
  const entry = await watch.ask(() => bucket.get(String(userId)));
  return entry?.operation === 'PUT' ? spaceOwnerSchema.parse(entry.json()) : undefined;
}

function isSpaceId(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text);
}

function notYours() {
  return forbidden('X-Space-Id has to name one of your spaces');
}
