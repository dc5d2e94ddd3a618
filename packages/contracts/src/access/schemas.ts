import { z } from 'zod';
import type { MemoryScope } from '../http/route.ts';

const spaceTypes = ['personal', 'team'] as const;
export const spaceTypeSchema = z.enum(spaceTypes);
export type SpaceType = (typeof spaceTypes)[number];

/** The agent that a key is bound to, as its creator wrote it; null: any agent of the space. */
export const boundAgentSchema = z.union([z.string(), z.int()]).nullable();
export type BoundAgent = z.infer<typeof boundAgentSchema>;

/** How large the scopes of a key may be together, as JSON: the gateway reads them with each request of the key. */
export const maxScopesBytes = 4_096;

/** Whether the scopes of a key grant what a request needs: `memory:write` and `*` grant everything. */
export function grants(scopes: readonly string[], needed: MemoryScope): boolean {
  return scopes.includes('*') || scopes.includes('memory:write') || scopes.includes(needed);
}

/** The name of a space in the memory area; `public` is the one of unauthenticated callers. */
export function spaceName(spaceId: number): string {
  return String(spaceId);
}

/** The form of an issued key. */
export const issuedKeyPattern: RegExp = /^sk-[\da-f]{32}$/;
/** A credential with this prefix is only treated as a key. */
export const issuedKeyStart = 'sk-';
/** The form of the id of a user, as of every record: at most 15 digits, so that no JSON reader rounds it. */
export const userIdPattern: RegExp = /^[1-9]\d{0,14}$/;

const mebibyte = 1_024 * 1_024;

/**
 * The NATS KV buckets of the access area, which the gateway reads at every request. The service that starts first creates
 * them; they have the replicas of the event log.
 */
export const accessBuckets = {
  /** By the SHA-256 of the key in hexadecimal: `keyRecordSchema`. Written by the keys service. */
  apiKeys: {
    name: 'api-keys',
    description: 'What the gateway needs to know about issued keys',
    history: 1,
    // About 300,000 keys.
    maxBytes: 128 * mebibyte,
    keepsLarger: true,
  },
  /** By user id: `spaceOwnerSchema`. Written by the keys service. */
  spaceOwners: {
    name: 'space-owners',
    description: 'The spaces of each user',
    history: 1,
    maxBytes: 64 * mebibyte,
    keepsLarger: true,
  },
  /** By the SHA-256 of the key in hexadecimal: `keyUsageSchema`. Written by the gateways. */
  keyUsage: {
    name: 'key-usage',
    description: 'How issued keys have been used',
    history: 1,
    // Written with nearly every request that has a key.
    persistMode: 'async',
    // A record takes 5 KiB at most, and far less for a key that is seldom used.
    maxBytes: 128 * mebibyte,
    keepsLarger: true,
  },
} as const;

/** The one entry of `api-keys` and of `space-owners` that is no record: the sequence in `ACCESS` that is applied. */
export const bucketCheckpoint = 'checkpoint';

/** A key as the gateway needs it. */
export const keyRecordSchema = z.object({
  keyId: z.int(),
  spaceId: z.int(),
  userId: z.int(),
  scopes: z.array(z.string()),
  /** Requests per 60 s. */
  rateLimit: z.int(),
  agentId: boundAgentSchema,
  state: z.enum(['active', 'inactive', 'replaced', 'revoked']),
  /** ISO 8601 in UTC with milliseconds. */
  expiresAt: z.string().nullable(),
  /**
   * The hash of the key that has replaced this one, for as long as both are valid: requests count as that key's. This one
   * is valid only while that one is, and has its scopes and its limit: a service of an earlier release changes only that one.
   */
  countedAs: z.string().optional(),
  /** The sequence in `ACCESS` of its last event; a record with a later one is never overwritten. */
  sequence: z.int(),
});
export type KeyRecord = z.infer<typeof keyRecordSchema>;

/** The spaces of a user. */
export const spaceOwnerSchema = z.object({
  personalSpaceId: z.int(),
  spaceIds: z.array(z.int()),
  sequence: z.int(),
});
export type SpaceOwner = z.infer<typeof spaceOwnerSchema>;

/** How a key has been used, updated by compare-and-set, so that it is exact over all gateways. */
export const keyUsageSchema = z.object({
  /** Requests that were accepted since the key was created. */
  requests: z.int().min(0),
  /** ISO 8601 in UTC with milliseconds. */
  lastUsedAt: z.string(),
  /** Requests that were accepted within the last 60 s: pairs of a time in milliseconds since 1970 and a count, oldest first. */
  recent: z.array(z.tuple([z.int(), z.int().min(1)])),
});
export type KeyUsage = z.infer<typeof keyUsageSchema>;

/** The parts of time that the usage of keys is shown by. */
export const usageBuckets = ['hour', 'day'] as const;
export type UsageBucket = (typeof usageBuckets)[number];

/** The most counts of one request to the keys service. */
export const maxUsageCounts = 1_000;

/** How often a gateway has seen a key within an hour. */
export const usageCountSchema = z.object({
  keyId: z.int().min(1),
  /** The beginning of the hour, in milliseconds since 1970. */
  hour: z.int().min(0),
  requests: z.int().min(0),
  refused: z.int().min(0),
});
export type UsageCount = z.infer<typeof usageCountSchema>;
