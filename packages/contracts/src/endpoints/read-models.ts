import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

const sequence = z.int().min(0);

/** An aggregate that a read model is behind with, since one of its events could not be applied. */
const deferralSchema = z.object({
  aggregate: z.string(),
  lane: z.int(),
  /** The sequence of the event that could not be applied. */
  from: sequence,
  type: z.string().nullable(),
  kind: z.enum(['failed', 'unreadable', 'unknown-type']),
  reason: z.string(),
});

const laneSchema = z.object({
  lane: z.int(),
  position: sequence,
  queued: z.int(),
  failuresInARow: z.int(),
  reason: z.string().nullable(),
  deferred: z.int(),
});

const versionSchema = z.object({
  name: z.string(),
  version: z.int(),
  form: z.string(),
  state: z.enum(['catching-up', 'live', 'failed', 'rebuilding', 'lost']),
  reason: z.string().nullable(),
  /** The last sequence of the log. */
  head: sequence,
  /** Of the lane that is furthest behind, among those of the instance that answers. */
  position: sequence,
  lagSeconds: z.number(),
  lanes: z.array(laneSchema),
  deferrals: z.array(deferralSchema),
});

const statusSchema = z.object({
  name: z.string(),
  /** Why not every question can be answered; null when all can. */
  reason: z.string().nullable(),
  /** The one that answers first. */
  versions: z.array(versionSchema),
});
/** How a read model or a KV bucket is. */
export type ReadModelReport = z.infer<typeof statusSchema>;

const named = z.object({ name: z.string() });

/** What operators ask and tell a service about its read models and KV buckets. */
export function readModelEndpoints(service: string) {
  return {
    /** As the instance sees it that answers. */
    status: defineEndpoint({
      service,
      name: 'read-model-status',
      request: z.object({}),
      reply: z.object({ readModels: z.array(statusSchema) }),
    }),
    /** Builds a new version from the log beside the one that answers; a bucket is made anew in place. */
    rebuild: defineEndpoint({
      service,
      name: 'read-model-rebuild',
      request: named,
      reply: z.object({ version: z.int(), rows: z.int() }),
    }),
    /** Lets the version answer again that answered before. */
    rollBack: defineEndpoint({
      service,
      name: 'read-model-roll-back',
      request: named,
      reply: z.object({ version: z.int() }),
    }),
    /** Compares the stores of the version that answers with each other, and repairs what can be repaired. */
    verify: defineEndpoint({
      service,
      name: 'read-model-verify',
      request: named,
      reply: z.object({ checked: z.int(), repaired: z.record(z.string(), z.int()) }),
    }),
    /** Applies what an aggregate waits with, without the event `discarded` if that is given. */
    retry: defineEndpoint({
      service,
      name: 'read-model-retry',
      request: z.object({
        name: z.string(),
        version: z.int(),
        aggregate: z.string(),
        discarded: sequence.nullable(),
      }),
      reply: z.object({}),
    }),
  } as const;
}

/** The services that have read models. */
export const readModelServices = ['keys', 'webhook', 'memory-query'] as const;
export type ReadModelService = (typeof readModelServices)[number];
