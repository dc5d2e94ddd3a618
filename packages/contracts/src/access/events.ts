import { z } from 'zod';
import { defineEvent, type EventOf, eventCatalog } from '../events/definition.ts';
import { numberAssigned, numberTaken } from '../events/ids.ts';
import { boundAgentSchema, spaceTypeSchema } from './schemas.ts';

const id = z.int().min(1);
const keyRef = { keyId: id };
/** SHA-256 of the whole key, in hexadecimal; the key itself is in no event. */
const keyHash = z.string().regex(/^[\da-f]{64}$/);

/** The first request of a user; it assigns the ids of the first space and project of the user. */
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
});

/** All properties of a key that can be changed, as they are from now on. */
export const keyChanged = defineEvent({
  type: 'KeyChanged',
  version: 1,
  schema: z.object({ ...keyRef, ...changeable, keyHash, isActive: z.boolean() }),
});

/** The record gets another key; the replaced one is refused from now on. */
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
