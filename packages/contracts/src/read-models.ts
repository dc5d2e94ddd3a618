import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { sequence } from './endpoint-fields.ts';

/** An aggregate that the read model has not applied completely, since one of its events could not be applied. */
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
  lagSeconds: z.number(),
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
  /** The smallest position among the lanes of the instance that answers. */
  position: sequence,
  lagSeconds: z.number(),
  lanes: z.array(laneSchema),
  deferrals: z.array(deferralSchema),
});

const statusSchema = z.object({
  name: z.string(),
  /** Why some queries cannot be answered; null when all can. */
  reason: z.string().nullable(),
  /** The version that answers queries comes first. */
  versions: z.array(versionSchema),
});
/** Status of a read model or a KV bucket. */
export type ReadModelReport = z.infer<typeof statusSchema>;

const named = { name: z.string() };

/** Operators' endpoints for the read models and KV buckets of a service. */
export function readModelEndpoints(service: string) {
  const endpoint = endpointsOf(service);
  return {
    /** As seen by the instance that answers. */
    status: endpoint('read-model-status', {}, z.object({ readModels: z.array(statusSchema) })),
    /** Builds a new version from the log while the present one answers queries; a bucket is rebuilt in place. */
    rebuild: endpoint('read-model-rebuild', named, z.object({ version: z.int(), rows: z.int() })),
    /** Switches back to the version that answered queries before. */
    rollBack: endpoint('read-model-roll-back', named, z.object({ version: z.int() })),
    /** Compares the stores of the version that answers queries, and repairs differences where possible. */
    verify: endpoint(
      'read-model-verify',
      named,
      z.object({ checked: z.int(), repaired: z.record(z.string(), z.int()) }),
    ),
    /** Applies the deferred events of an aggregate, except the event `discarded` if given. */
    retry: endpoint(
      'read-model-retry',
      {
        name: z.string(),
        version: z.int(),
        aggregate: z.string(),
        discarded: sequence.nullable(),
      },
      z.object({}),
    ),
  } as const;
}

/** The services that have read models. */
export const readModelServices = ['keys', 'webhook', 'memory-query'] as const;
export type ReadModelService = (typeof readModelServices)[number];
