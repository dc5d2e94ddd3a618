import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { sequence } from './endpoint-fields.ts';
import { component } from './http/component.ts';

/** An aggregate whose events are not applied from `from` on, because the first of them could not be. */
export const deferralSchema = component('DeferredAggregate', {
  aggregate: z.string().meta({ description: 'What waits, such as an agent, by its subject in the log' }),
  lane: z.int().min(0),
  from: sequence.meta({ description: 'Sequence of the event that could not be applied' }),
  type: z.string().nullable().meta({ description: 'Type of that event' }),
  kind: z.enum(['failed', 'unreadable', 'unknown-type']),
  reason: z.string(),
});
export type DeferredAggregate = z.infer<typeof deferralSchema>;

const laneSchema = z.object({
  lane: z.int(),
  position: sequence,
  /** How long ago the oldest event was made that the lane has not applied, in seconds; 0 when nothing waits. */
  lagSeconds: z.number(),
  /** Events that wait in the instance that answers. */
  queued: z.int(),
  failuresInARow: z.int(),
  /** Why the lane cannot be written at the moment. */
  reason: z.string().nullable(),
  deferred: z.int(),
});

/**
 * What a version is doing: `catching-up` with the log, `live` (up to date and kept so), `failed` (some lane cannot be
 * written at the moment, or the version cannot be made), `rebuilding` (it is being filled to replace another), `lost` (its
 * log or a store is not the one that it was made with).
 */
export const versionStates = ['catching-up', 'live', 'failed', 'rebuilding', 'lost'] as const;

const versionSchema = z.object({
  name: z.string(),
  version: z.int(),
  form: z.string(),
  state: z.enum(versionStates),
  reason: z.string().nullable(),
  /** The last sequence of the log, as the instance that answers knows it. */
  head: sequence,
  /** The smallest position among the lanes of the instance that answers. */
  position: sequence,
  /** That of the lane that is furthest behind. */
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
export type ReadModelVersion = ReadModelReport['versions'][number];

const named = { name: z.string() };

/** Operators' endpoints for the read models and KV buckets of a service. */
export function readModelEndpoints(service: string) {
  const endpoint = endpointsOf(service);
  return {
    /**
     * As seen by the instance that answers. One that does not take requests, because its read models are being built, leaves
     * them to other instances; earlier releases do not say. One that cannot reach a store does not answer this either.
     */
    status: endpoint(
      'read-model-status',
      {},
      z.object({
        takesRequests: z.boolean().optional(),
        readModels: z.array(statusSchema),
        /** What the instance depends on and gets no answer from, such as `mongodb`; earlier releases do not say. */
        unavailable: z.array(z.string()).optional(),
      }),
    ),
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
