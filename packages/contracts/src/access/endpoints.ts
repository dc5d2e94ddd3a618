import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import {
  createdKeySchema,
  keySchema,
  meSchema,
  projectSchema,
  regeneratedKeySchema,
  spaceSchema,
  updatedKeySchema,
} from './replies.ts';
import { boundAgentSchema, spaceOwnerSchema, spaceTypeSchema } from './schemas.ts';

const service = 'keys';
const id = z.int().min(1);
/** The user who makes the request. */
const userId = id;
/** The position of the event that did it, as `ACCESS:42`, for a repeated create too; null when there was nothing to do. */
const position = z.string().nullable();
/** The read waits until the read model has applied this sequence of `ACCESS`, 5 s at most, then answers 503. */
const minSequence = z.int().min(0).optional();
/** A repeated command does nothing twice. */
const commandId = z.string();
const keyRef = { userId, projectId: id, keyId: id };
const value = <T extends z.ZodType>(schema: T) => z.object({ value: schema, position });
/** The number of records in a bucket, and of those that had to be written or removed. */
const bucketRebuilt = z.object({ records: z.int(), changed: z.int() });

/**
 * Commands and queries about users, spaces, projects and keys. A command replies when the read models and the KV buckets
 * have applied it.
 */
export const keys = {
  /** The user's spaces with their projects; the first request of a user creates the first of each. */
  me: defineEndpoint({ service, name: 'me', request: z.object({ userId, minSequence }), reply: value(meSchema) }),
  /** The gateway's record of a user; the first request of a user creates it. */
  ensureUser: defineEndpoint({
    service,
    name: 'ensure-user',
    request: z.object({ userId }),
    reply: value(spaceOwnerSchema),
  }),
  listSpaces: defineEndpoint({
    service,
    name: 'list-spaces',
    request: z.object({ userId, minSequence }),
    reply: z.array(spaceSchema),
  }),
  createSpace: defineEndpoint({
    service,
    name: 'create-space',
    request: z.object({ userId, name: z.string(), type: spaceTypeSchema, commandId }),
    reply: value(spaceSchema),
  }),
  listProjects: defineEndpoint({
    service,
    name: 'list-projects',
    request: z.object({ userId, minSequence }),
    reply: z.array(projectSchema),
  }),
  /** 404 `Space not found` for a space of another user. */
  createProject: defineEndpoint({
    service,
    name: 'create-project',
    request: z.object({ userId, name: z.string(), spaceId: id, commandId }),
    reply: value(projectSchema),
  }),
  /** The keys of the project's space, the newest first; none when there is no such project. */
  listKeys: defineEndpoint({
    service,
    name: 'list-keys',
    request: z.object({ userId, projectId: id, minSequence }),
    reply: z.array(keySchema),
  }),
  /** 404 `Project not found`. */
  createKey: defineEndpoint({
    service,
    name: 'create-key',
    request: z.object({
      userId,
      projectId: id,
      name: z.string(),
      scopes: z.array(z.string()),
      rateLimit: id,
      /** From now; null: the key does not expire. */
      expiresInDays: z.int().min(1).nullable(),
      agentId: boundAgentSchema,
      commandId,
    }),
    reply: value(createdKeySchema),
  }),
  /** A property that is null stays as it is. 404 `api_keys_list table not found`, then `API key not found`; 403 for the key of another user. */
  updateKey: defineEndpoint({
    service,
    name: 'update-key',
    request: z.object({
      ...keyRef,
      name: z.string().nullable(),
      scopes: z.array(z.string()).nullable(),
      isActive: z.boolean().nullable(),
      rateLimit: id.nullable(),
    }),
    reply: value(updatedKeySchema),
  }),
  /** Refused like `updateKey`. */
  revokeKey: defineEndpoint({
    service,
    name: 'revoke-key',
    request: z.object(keyRef),
    reply: value(z.object({ name: z.string() })),
  }),
  /** Refused like `updateKey`. */
  regenerateKey: defineEndpoint({
    service,
    name: 'regenerate-key',
    request: z.object({ ...keyRef, commandId }),
    reply: value(regeneratedKeySchema),
  }),
  /** For operators: rebuilds the read models and the KV buckets from the log; the present ones answer meanwhile. */
  rebuild: defineEndpoint({
    service,
    name: 'rebuild',
    request: z.object({}),
    reply: z.object({
      /** The version of the read model that answers from now on, and how many rows it has. */
      readModel: z.object({ version: z.int(), rows: z.int() }),
      apiKeys: bucketRebuilt,
      spaceOwners: bucketRebuilt,
      /** The number of keys whose usage was copied from the gateways' records again. */
      keyUsage: z.int(),
    }),
  }),
} as const;
