import { z } from 'zod';
import { component, dateTime } from '../http/component.ts';
import { deferralSchema, versionStates } from '../read-models.ts';

const count = z.int().min(0);

/** The services whose read models can be rebuilt together. */
export const rebuiltServices = ['keys', 'webhook', 'memory'] as const;
export type RebuiltService = (typeof rebuiltServices)[number];

const instanceSchema = component('ServiceInstance', {
  id: z.string(),
  version: z.string(),
  started_at: dateTime,
  requests: count.meta({ description: 'Requests over NATS that it has answered since its start' }),
  errors: count.meta({ description: 'Those of them that it refused or that failed' }),
});

const serviceSchema = component('SystemService', {
  name: z.string(),
  state: z.enum(['ready', 'degraded', 'unavailable']).meta({
    description:
      '`degraded`: it answers, but not every request; `reason` says why. `unavailable`: no instance of it answers',
  }),
  reason: z.string().nullable(),
  instances: z.array(instanceSchema),
});

export const servicesSchema = component('SystemServices', { services: z.array(serviceSchema) });
export type ServicesReply = z.infer<typeof servicesSchema>;

const streamSchema = component('SystemStream', {
  name: z.string(),
  kind: z.enum(['events', 'dead-letters', 'bucket', 'other']).meta({
    description: '`bucket`: a NATS KV bucket; `other`: a JetStream stream that is not of Mneme',
  }),
  messages: count,
  bytes: count.meta({ description: 'Size on the disk of one server' }),
  max_bytes: count.nullable().meta({ description: 'Its limit; null: none' }),
  first_sequence: count,
  last_sequence: count,
  first_at: dateTime.nullable().meta({ description: 'Time of the first message; null: there is none' }),
  last_at: dateTime.nullable(),
  consumers: count,
  replicas: count,
});

export const streamsSchema = component('SystemStreams', { streams: z.array(streamSchema) });
export type StreamsReply = z.infer<typeof streamsSchema>;

const laneSchema = component('Lane', {
  lane: count,
  position: count.meta({ description: 'Sequence of the last event that it has applied' }),
  lag_seconds: z.number().meta({ description: 'How long ago the oldest event was made that it has not applied' }),
  queued: count,
  failures_in_a_row: count,
  reason: z.string().nullable().meta({ description: 'Why it cannot be written at the moment' }),
  deferred: count.meta({ description: 'Aggregates that wait for an event which could not be applied' }),
});

const versionSchema = component('ReadModelVersion', {
  version: z.int(),
  form: z.string(),
  state: z.enum(versionStates),
  reason: z.string().nullable(),
  position: count.meta({ description: 'Of the lane that is furthest behind' }),
  head: count.meta({ description: 'Last sequence of the log' }),
  lag_seconds: z
    .number()
    .meta({ description: 'How long ago the oldest event was made that is not applied, in seconds' }),
  dead_letters: count,
  lanes: z.array(laneSchema),
  deferred: z.array(deferralSchema).meta({ description: 'The first 100' }),
});

const readModelSchema = component('SystemReadModel', {
  name: z.string(),
  service: z.string(),
  reason: z.string().nullable().meta({ description: 'Why some requests cannot be answered; null: all can' }),
  versions: z.array(versionSchema).meta({ description: 'The one that answers first' }),
});

export const readModelsSchema = component('SystemReadModels', {
  read_models: z.array(readModelSchema),
  unavailable: z.array(z.object({ service: z.string(), reason: z.string() })).meta({
    description: 'Services that did not answer; their read models are missing in this list',
  }),
});
export type ReadModelsReply = z.infer<typeof readModelsSchema>;

export const rolledBackSchema = component('ReadModelRolledBack', {
  name: z.string(),
  version: z.int().meta({ description: 'The version that answers now' }),
});

export const taskSchema = component(
  'SystemTask',
  {
    id: z.string().meta({ format: 'uuid' }),
    kind: z.enum(['rebuild', 'verify']),
    target: z.string().meta({ description: 'Name of a read model, or of a service whose read models are rebuilt' }),
    target_kind: z.enum(['read-model', 'service']),
    state: z.enum(['running', 'completed', 'failed', 'interrupted']).meta({
      description:
        '`interrupted`: the gateway that waited for the result has ended. A rebuild continues without it; see its read model. A verification has to be started again.',
    }),
    started_by: z.int().meta({ description: 'Id of the operator' }),
    started_at: dateTime,
    finished_at: dateTime.nullable(),
    progress: z
      .array(z.object({ read_model: z.string(), version: z.int(), position: count, head: count }))
      .meta({ description: 'The versions that are being filled now, of the target' }),
    result: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'Of a rebuild: versions and numbers of rows; of a verification: `checked`, and `repaired` by kind',
    }),
    error: z.string().nullable(),
  },
  { description: 'Work that takes long. The last task of each kind for each target is kept.' },
);
export type TaskReply = z.infer<typeof taskSchema>;

export const tasksSchema = component('SystemTasks', { tasks: z.array(taskSchema) });

const deadLetterSchema = component('DeadLetter', {
  id: count,
  failed_at: dateTime,
  reader: z.string().meta({
    description: 'Which consumer could not process the event: a handler, or a version of a read model',
    example: 'access@2',
  }),
  read_model: z.string().nullable().meta({
    description: 'The read model whose aggregate is deferred until this is resolved; null if a handler failed',
  }),
  aggregate: z.string().nullable().meta({ description: 'The deferred aggregate; null if a handler failed' }),
  type: z.string().nullable().meta({ description: 'Type of the event' }),
  subject: z.string(),
  position: z.string().meta({ description: 'Position of the event in the event log', example: 'MEMORY:42' }),
  reason: z.string(),
});
export type DeadLetterReply = z.infer<typeof deadLetterSchema>;

export const deadLettersSchema = component('DeadLetters', {
  dead_letters: z.array(deadLetterSchema).meta({ description: 'The oldest first' }),
  total: count,
  next_cursor: z.string().nullable(),
});
export type DeadLettersReply = z.infer<typeof deadLettersSchema>;

export const deadLetterSettledSchema = component('DeadLetterSettled', { id: count, message: z.string() });
