import { z } from 'zod';
import { defineEvent, type EventOf, eventCatalog } from '../events/definition.ts';
import { numberAssigned, numberTaken } from '../events/ids.ts';
import { boundAgentSchema, spaceTypeSchema } from './schemas.ts';

const id = z.int().min(1);
const keyRef = { keyId: id };
/** SHA-256 of the whole key, in hexadecimal; the key itself is in no event. */
const keyHash = z.string().regex(/^[\da-f]{64}$/);

/** A user was seen for the first time; says which numbers the space and the project that everyone starts with will have. */
export const userJoined = defineEvent({
  type: 'UserJoined',
  version: 1,
  schema: z.object({ userId: id, spaceId: id, projectId: id }),
});

export const spaceCreated = defineEvent({
  type: 'SpaceCreated',
  version: 1,
  schema: z.object({ spaceId: id, name: z.string(), spaceType: spaceTypeSchema, ownerId: id }),
});

export const projectCreated = defineEvent({
  type: 'ProjectCreated',
  version: 1,
  schema: z.object({ projectId: id, spaceId: id, name: z.string(), createdBy: id }),
});

const changeable = {
  name: z.string(),
  scopes: z.array(z.string()),
  /** Requests per 60 s. */
  rateLimit: id,
};

export const keyIssued = defineEvent({
  type: 'KeyIssued',
  version: 1,
  schema: z.object({
    ...keyRef,
    ...changeable,
    spaceId: id,
    projectId: id,
    /** Who it belongs to. */
    userId: id,
    keyHash,
    /** The first characters of the key, by which people tell their keys apart. */
    keyPrefix: z.string(),
    expiresAt: z.string().nullable(),
    agentId: boundAgentSchema,
    /** The request that asked for it; the same request again gives the same record. */
    commandId: z.string(),
  }),
});

/** All that can be changed about a key, as it is from now on. */
export const keyChanged = defineEvent({
  type: 'KeyChanged',
  version: 1,
  schema: z.object({ ...keyRef, ...changeable, keyHash, isActive: z.boolean() }),
});

/** The record goes on with another key; the replaced one opens nothing any more. */
export const keyRegenerated = defineEvent({
  type: 'KeyRegenerated',
  version: 1,
  schema: z.object({ ...keyRef, keyHash, keyPrefix: z.string(), replacedKeyHash: keyHash, commandId: z.string() }),
});

export const keyRevoked = defineEvent({
  type: 'KeyRevoked',
  version: 1,
  schema: z.object({ ...keyRef, keyHash }),
});

/** Every event that the `ACCESS` stream may hold. */
export const accessEvents = eventCatalog([
  numberTaken,
  numberAssigned,
  userJoined,
  spaceCreated,
  projectCreated,
  keyIssued,
  keyChanged,
  keyRegenerated,
  keyRevoked,
]);
export type AccessEvent = EventOf<typeof accessEvents>;
/** One event of the access area, by its type. */
export type AccessEventOf<T extends AccessEvent['type']> = Extract<AccessEvent, { type: T }>;
