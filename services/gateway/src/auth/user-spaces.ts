import { type SpaceOwner, spaceName, spaceOwnerSchema } from '@mneme/contracts';
import type { ConnectionWatch } from '@mneme/event-store';
import type { KV } from '@nats-io/kv';
import { forbidden } from '../errors.ts';
import { Leases } from './short-cache.ts';

/** Knows which spaces are whose. */
export interface UserSpaces {
  /**
   * The space that a user works in.
   * @param wanted what the request says about it; the personal space unless given
   * @throws WireError 403 when it is none of the user's
   */
  choose(userId: number, wanted: string | undefined, ensureUser: EnsureUser): Promise<string>;
}

/** Asks the service that owns users for one that it may not have seen yet. */
export type EnsureUser = (userId: number) => Promise<SpaceOwner>;

/** Reads the bucket `space-owners`, and goes by a record for a moment. */
export function createUserSpaces(deps: { bucket: KV; watch: ConnectionWatch }): UserSpaces {
  const leases = new Leases<SpaceOwner>();
  const read = (userId: number) => leases.renew(String(userId), () => find(deps, userId));
  return {
    choose: async (userId, wanted, ensureUser) => {
      if (wanted !== undefined && !isSpaceId(wanted)) throw notYours();
      const known = leases.find(String(userId));
      // Spaces only come to a user, so that one which is not known yet may have come since.
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
