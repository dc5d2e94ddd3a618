import { isDeepStrictEqual } from 'node:util';
import type { AccessEvent, AccessEventOf } from '@mneme/contracts';
import type { Decider, EventRecord } from '@mneme/event-store';
import { DomainError } from '../errors.ts';

type Issued = AccessEventOf<'KeyIssued'>['data'];

/** A key as it is now; undefined before it is issued. */
export type Key =
  | (Omit<Issued, 'commandId' | 'projectId'> & {
      readonly isActive: boolean;
      readonly isRevoked: boolean;
      /** The old key that is valid beside the present one; it may have expired. */
      readonly overlap?: Overlap | undefined;
      /** The command that the present key was made by. */
      readonly commandId: string;
      /** When the present key was made, ISO 8601 in UTC; undefined for one that was just decided. */
      readonly madeAt?: string | undefined;
    })
  | undefined;

/** A replaced key that is still valid. */
export interface Overlap {
  readonly keyHash: string;
  /** ISO 8601 in UTC. */
  readonly until: string;
}

/** The key that a request names, by its id in a space. */
export interface KeyRef {
  readonly keyId: number;
  readonly spaceId: number;
  /** The user who makes the request. */
  readonly userId: number;
  /** Whether that user owns the space; undefined where the policy does not ask for that. */
  readonly ownsSpace?: boolean | undefined;
}

/** What is stored of a secret key. */
export interface KeyMark {
  readonly keyHash: string;
  readonly keyPrefix: string;
}

export interface IssueKey {
  readonly type: 'IssueKey';
  readonly key: Issued;
}
/** A property that is null stays as it is. */
export interface ChangeKey {
  readonly type: 'ChangeKey';
  readonly ref: KeyRef;
  readonly name: string | null;
  readonly scopes: readonly string[] | null;
  readonly rateLimit: number | null;
  readonly isActive: boolean | null;
}
export interface RegenerateKey {
  readonly type: 'RegenerateKey';
  readonly ref: KeyRef;
  readonly mark: KeyMark;
  /** Until when the replaced key stays valid, ISO 8601 in UTC; null: it is refused from now on. */
  readonly overlapUntil: string | null;
  readonly commandId: string;
}
export interface RevokeKey {
  readonly type: 'RevokeKey';
  readonly ref: KeyRef;
}

export const keyDecider: Decider<Key, IssueKey | ChangeKey | RegenerateKey | RevokeKey, AccessEvent> = {
  initialState: undefined,
  decide: (command, key) => {
    switch (command.type) {
      case 'IssueKey':
        return issue(command, key);
      case 'ChangeKey':
        return change(
          command,
          isDeactivation(command) ? endable(key, command.ref, 'edit') : own(key, command.ref, 'edit'),
        );
      case 'RegenerateKey':
        return regenerate(own(key, command.ref, 'regenerate'), command);
      case 'RevokeKey': {
        const { keyId, keyHash, overlap } = endable(key, command.ref, 'delete');
        return [{ type: 'KeyRevoked', data: { keyId, keyHash, ...oldKeyOf(overlap) } }];
      }
    }
  },
  evolve,
};

/** About how many bytes a key takes in memory. */
export function sizeOfKey(key: Key): number {
  return 1_000 + 2 * JSON.stringify(key?.scopes ?? []).length;
}

type Asking = Pick<KeyRef, 'spaceId' | 'userId' | 'ownsSpace'>;

/** The key, if it exists in the space. */
function existing(key: Key, { spaceId }: Asking): NonNullable<Key> {
  if (!key || key.isRevoked || key.spaceId !== spaceId) throw new DomainError('key-not-found');
  return key;
}

/** The key, if it exists in the space and belongs to the user, who may still use the space. */
function own(key: Key, asking: Asking, verb: string): NonNullable<Key> {
  const present = existing(key, asking);
  if (present.userId !== asking.userId)
    throw new DomainError('key-not-yours', `You can only ${verb} your own API keys`);
  if (asking.ownsSpace === false) throw new DomainError('key-space-not-yours');
  return present;
}

/**
 * The key, if the user may end it. Under a strict policy others may have keys in a space from the time before: they may end
 * these, and the owner of the space may as well.
 */
function endable(key: Key, asking: Asking, verb: string): NonNullable<Key> {
  return asking.ownsSpace ? existing(key, asking) : own(key, { ...asking, ownsSpace: undefined }, verb);
}

function isDeactivation({ name, scopes, rateLimit, isActive }: ChangeKey): boolean {
  return isActive === false && name === null && scopes === null && rateLimit === null;
}

/**
 * A repeated command means that the reply with the secret was lost, so the record gets a new secret. That of another command
 * since then may be in use.
 */
function issue({ key: { commandId, ...issued } }: IssueKey, key: Key): readonly AccessEvent[] {
  if (!key) return [{ type: 'KeyIssued', data: { ...issued, commandId } }];
  const present = own(key, issued, 'regenerate');
  if (present.commandId !== commandId) throw new DomainError('key-regenerated');
  const { keyHash, keyPrefix } = issued;
  return regenerate(present, { mark: { keyHash, keyPrefix }, overlapUntil: null, commandId });
}

function change(command: ChangeKey, key: NonNullable<Key>): readonly AccessEvent[] {
  const { keyId, keyHash, overlap } = key;
  const before = { name: key.name, scopes: key.scopes, rateLimit: key.rateLimit, isActive: key.isActive };
  const after = {
    name: command.name ?? key.name,
    scopes: command.scopes ? [...command.scopes] : key.scopes,
    rateLimit: command.rateLimit ?? key.rateLimit,
    isActive: command.isActive ?? key.isActive,
  };
  if (isDeepStrictEqual(before, after)) return [];
  return [{ type: 'KeyChanged', data: { keyId, keyHash, ...after, ...oldKeyOf(overlap) } }];
}

function oldKeyOf(overlap: Overlap | undefined): { oldKeyHash?: string } {
  return overlap ? { oldKeyHash: overlap.keyHash } : {};
}

/**
 * Of two keys that are valid side by side, the older one ends when the record gets a third one. A repeated command means that
 * no one has seen the key it made before, so that one is replaced at once, and the overlap stays as it is.
 */
function regenerate(
  key: NonNullable<Key>,
  { mark, overlapUntil, commandId }: Pick<RegenerateKey, 'mark' | 'overlapUntil' | 'commandId'>,
): readonly AccessEvent[] {
  const { keyId, keyHash: replacedKeyHash } = key;
  const { keyHash, keyPrefix } = mark;
  const data = { keyId, keyHash, keyPrefix, replacedKeyHash, commandId };
  if (key.commandId === commandId) {
    return [{ type: 'KeyRegenerated', data: { ...data, ...(key.overlap && { overlap: key.overlap }) } }];
  }
  const overlap = overlapUntil === null ? {} : { overlap: { keyHash: replacedKeyHash, until: overlapUntil } };
  const ended = key.overlap ? { endedKeyHash: key.overlap.keyHash } : {};
  return [{ type: 'KeyRegenerated', data: { ...data, ...overlap, ...ended } }];
}

function evolve(key: Key, event: AccessEvent & Partial<EventRecord>): Key {
  if (event.type === 'KeyIssued') {
    const { projectId, ...issued } = event.data;
    return { ...issued, isActive: true, isRevoked: false, madeAt: event.time };
  }
  if (!key) throw new Error(`${event.type} before a key was issued`);
  switch (event.type) {
    case 'KeyChanged': {
      const { name, scopes, rateLimit, isActive } = event.data;
      return { ...key, name, scopes, rateLimit, isActive };
    }
    case 'KeyRegenerated': {
      const { keyHash, keyPrefix, overlap, commandId } = event.data;
      return { ...key, keyHash, keyPrefix, overlap, commandId, madeAt: event.time };
    }
    case 'KeyRevoked':
      return { ...key, isRevoked: true };
    default:
      throw new Error(`${event.type} does not belong to a key`);
  }
}
