import { z } from 'zod';
import { defineEvent, type EventOf, eventCatalog } from '../events/definition.ts';
import { idDefinitions } from '../events/ids.ts';
import { boundAgentSchema, spaceTypeSchema } from './schemas.ts';

const id = z.int().min(1);
const keyRef = { keyId: id };
/** SHA-256 of the whole key, in hexadecimal; the key itself is in no event. */
const keyHash = z.string().regex(/^[\da-f]{64}$/);

const changeable = {
  name: z.string(),
  scopes: z.array(z.string()),
  /** Requests per 60 s. */
  rateLimit: id,
};

/** The old key of an overlap, which the event is about as well; it may have expired. */
const withOldKey = { oldKeyHash: keyHash.optional() };

/** Every event that the `ACCESS` stream may hold. */
export const accessEvents = eventCatalog([
  ...idDefinitions,
  /** The first request of a user; it assigns the ids of the first space and project of the user. */
  defineEvent('UserJoined', { userId: id, spaceId: id, projectId: id }),
  defineEvent('SpaceCreated', { spaceId: id, name: z.string(), spaceType: spaceTypeSchema, ownerId: id }),
  defineEvent('ProjectCreated', { projectId: id, spaceId: id, name: z.string(), createdBy: id }),
  defineEvent('KeyIssued', {
    ...keyRef,
    ...changeable,
    spaceId: id,
    projectId: id,
    /** Its owner. */
    userId: id,
    keyHash,
    /** The first characters of the key, by which users recognise it. */
    keyPrefix: z.string(),
    expiresAt: z.string().nullable(),
    agentId: boundAgentSchema,
    /** The command that created it; the same command again gives the same record. */
    commandId: z.string(),
  }),
  /** All properties of a key that can be changed, as they are from now on. */
  defineEvent('KeyChanged', { ...keyRef, ...changeable, keyHash, isActive: z.boolean(), ...withOldKey }),
  /** The record gets another key; the replaced one is refused from now on, unless it is the one in `overlap`. */
  defineEvent('KeyRegenerated', {
    ...keyRef,
    keyHash,
    keyPrefix: z.string(),
    replacedKeyHash: keyHash,
    /** The old key that is valid beside the new one, and until when: ISO 8601 in UTC. */
    overlap: z.object({ keyHash, until: z.string() }).optional(),
    /** The old key of an earlier overlap, which ends with this event. */
    endedKeyHash: keyHash.optional(),
    commandId: z.string(),
  }),
  defineEvent('KeyRevoked', { ...keyRef, keyHash, ...withOldKey }),
]);
export type AccessEvent = EventOf<typeof accessEvents>;
/** One event of the access area, by its type. */
export type AccessEventOf<T extends AccessEvent['type']> = Extract<AccessEvent, { type: T }>;
