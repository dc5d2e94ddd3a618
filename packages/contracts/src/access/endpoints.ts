import { z } from 'zod';
import { endpointsOf } from '../endpoint.ts';
import { commandId, commandReply, id, minSequence, userId } from '../endpoint-fields.ts';
import {
  createdKeySchema,
  keyHistorySchema,
  keySchema,
  meSchema,
  projectSchema,
  regeneratedKeySchema,
  spaceSchema,
  updatedKeySchema,
} from './replies.ts';
import {
  boundAgentSchema,
  maxUsageCounts,
  spaceOwnerSchema,
  spaceTypeSchema,
  usageBuckets,
  usageCountSchema,
} from './schemas.ts';

const endpoint = endpointsOf('keys');
const keyRef = { userId, projectId: id, keyId: id };
/** The number of records in a bucket, and of those that had to be written or removed. */
const bucketRebuilt = z.object({ records: z.int(), changed: z.int() });

/**
 * Commands and queries about users, spaces, projects and keys. A command replies when the read models and the KV buckets
 * have applied it; a repeated one has the position of the first.
 */
export const keys = {
  /** The user's spaces with their projects; the first request of a user creates the first of each. */
  me: endpoint('me', { userId, minSequence }, commandReply(meSchema)),
  /** The gateway's record of a user; the first request of a user creates it. */
  ensureUser: endpoint('ensure-user', { userId }, commandReply(spaceOwnerSchema)),
  listSpaces: endpoint('list-spaces', { userId, minSequence }, z.array(spaceSchema)),
  createSpace: endpoint(
    'create-space',
    { userId, name: z.string(), type: spaceTypeSchema, commandId },
    commandReply(spaceSchema),
  ),
  listProjects: endpoint('list-projects', { userId, minSequence }, z.array(projectSchema)),
  /** 404 `Space not found` for a space of another user. */
  createProject: endpoint(
    'create-project',
    { userId, name: z.string(), spaceId: id, commandId },
    commandReply(projectSchema),
  ),
  /** The keys of the project's space, the newest first; none when there is no such project. All of them without a limit. */
  listKeys: endpoint(
    'list-keys',
    { userId, projectId: id, limit: id.optional(), offset: z.int().min(0).optional(), minSequence },
    z.array(keySchema),
  ),
  /** 404 `Project not found`. */
  createKey: endpoint(
    'create-key',
    {
      userId,
      projectId: id,
      name: z.string(),
      scopes: z.array(z.string()),
      rateLimit: id,
      /** From now; null: the key does not expire. */
      expiresInDays: z.int().min(1).nullable(),
      agentId: boundAgentSchema,
      commandId,
    },
    commandReply(createdKeySchema),
  ),
  /** A property that is null stays as it is. 404 `api_keys_list table not found`, then `API key not found`; 403 for the key of another user. */
  updateKey: endpoint(
    'update-key',
    {
      ...keyRef,
      name: z.string().nullable(),
      scopes: z.array(z.string()).nullable(),
      isActive: z.boolean().nullable(),
      rateLimit: id.nullable(),
    },
    commandReply(updatedKeySchema),
  ),
  /** Refused like `updateKey`. */
  revokeKey: endpoint('revoke-key', keyRef, commandReply(z.object({ name: z.string() }))),
  /** Refused like `updateKey`. */
  regenerateKey: endpoint(
    'regenerate-key',
    { ...keyRef, overlapSeconds: z.int().min(0).optional(), commandId },
    commandReply(regeneratedKeySchema),
  ),
  /** How a key was used, by hour or day. 404 `API key not found`, also when there is no such project. */
  keyHistory: endpoint(
    'key-history',
    { ...keyRef, bucket: z.enum(usageBuckets), since: z.string().nullable(), minSequence },
    keyHistorySchema,
  ),
  /** What a gateway has counted since it last told. It is added once; what is told again is counted again. */
  countUsage: endpoint('count-usage', { counts: z.array(usageCountSchema).max(maxUsageCounts) }, z.object({})),
  /** For operators: rebuilds the read models and the KV buckets from the log; the present ones answer meanwhile. */
  rebuild: endpoint(
    'rebuild',
    {},
    z.object({
      /** The version of the read model that answers from now on, and how many rows it has. */
      readModel: z.object({ version: z.int(), rows: z.int() }),
      apiKeys: bucketRebuilt,
      spaceOwners: bucketRebuilt,
      /** The number of keys whose usage was copied from the gateways' records again. */
      keyUsage: z.int(),
    }),
  ),
} as const;
