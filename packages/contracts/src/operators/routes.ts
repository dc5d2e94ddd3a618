import { z } from 'zod';
import { idInUrl } from '../access/fields.ts';
import { faultType, queryInteger, uuid } from '../http/fields.ts';
import { routesOf } from '../http/route.ts';
import {
  deadLetterSettledSchema,
  deadLettersSchema,
  readModelsSchema,
  rebuiltServices,
  rolledBackSchema,
  servicesSchema,
  streamsSchema,
  taskSchema,
  tasksSchema,
} from './replies.ts';

const system = routesOf('System, for operators', 'operator');

const readModelName = z
  .string()
  .refine((value) => /^[\w-]{1,100}$/.test(value), {
    error: 'Input should be the name of a read model: letters, digits, - and _',
    ...faultType('string_pattern_mismatch'),
  })
  .meta({ example: 'access', override: { type: 'string', pattern: '^[\\w-]{1,100}$' } });
const readModelPath = z.object({ name: readModelName });
const servicePath = z.object({ service: z.enum(rebuiltServices).meta({ example: 'keys' }) });
const deadLetterPath = z.object({ id: idInUrl });
const noReadModel = { 404: 'There is no read model of this name' };
const noDeadLetter = { 404: 'There is no such dead letter' };
const notPossible = 'The consumer could not do this; the message says why';
const inBackground =
  'Answers at once; read the task at the address in `Location`. The same task, if one of the kind is running for the target.';

/** What operators may see and do. */
export const operatorRoutes = {
  systemServices: system.get('/api/v3/system/services', {
    summary: 'List services, their state and their instances',
    reply: servicesSchema,
  }),
  systemStreams: system.get('/api/v3/system/streams', {
    summary: 'List JetStream streams and KV buckets with their sizes',
    reply: streamsSchema,
  }),
  systemReadModels: system.get('/api/v3/system/read-models', {
    summary: 'List read models and buckets: versions, state, lanes, lag, dead letters',
    description: 'Lanes and positions are those of the instance that answers.',
    reply: readModelsSchema,
  }),
  rebuildReadModel: system.post('/api/v3/system/read-models/{name}/rebuild', {
    summary: 'Rebuild a read model from the log',
    description: `A new version is built beside the one that answers. A bucket is corrected in place. ${inBackground}`,
    pathParameters: readModelPath,
    reply: taskSchema,
    successStatus: 202,
    refusals: noReadModel,
  }),
  rollBackReadModel: system.post('/api/v3/system/read-models/{name}/rollback', {
    summary: 'Answer from the previous version of a read model again',
    pathParameters: readModelPath,
    reply: rolledBackSchema,
    refusals: { ...noReadModel, 409: 'There is no previous version that could answer' },
  }),
  verifyReadModel: system.post('/api/v3/system/read-models/{name}/verify', {
    summary: 'Compare the stores of a read model and repair differences',
    description: inBackground,
    pathParameters: readModelPath,
    reply: taskSchema,
    successStatus: 202,
    refusals: noReadModel,
  }),
  rebuildService: system.post('/api/v3/system/services/{service}/rebuild', {
    summary: 'Rebuild all read models of a service from the log',
    description: inBackground,
    pathParameters: servicePath,
    reply: taskSchema,
    successStatus: 202,
  }),
  systemTasks: system.get('/api/v3/system/tasks', {
    summary: 'List rebuilds and verifications, the newest first',
    reply: tasksSchema,
  }),
  systemTask: system.get('/api/v3/system/tasks/{id}', {
    summary: 'Read the progress or the result of a rebuild or verification',
    pathParameters: z.object({ id: uuid }),
    reply: taskSchema,
    refusals: { 404: 'There is no such task, or a later one of its kind has replaced it' },
  }),
  listDeadLetters: system.get('/api/v3/system/dead-letters', {
    summary: 'List events that could not be read, handled or applied',
    description: 'Without the data of the events, which may be what an agent remembers.',
    query: z.object({
      limit: queryInteger({ min: 1, max: 500, default: 100, description: 'Maximum number of items' }),
      cursor: queryInteger({
        min: 1,
        max: Number.MAX_SAFE_INTEGER,
        default: 1,
        description: '`next_cursor` of the previous page',
      }),
    }),
    reply: deadLettersSchema,
  }),
  retryDeadLetter: system.post('/api/v3/system/dead-letters/{id}/retry', {
    summary: 'Process an event again',
    description:
      'Waits for the result, 120 s at most. The dead letter is removed if it succeeds. After 504 the retry goes on and the ' +
      'dead letter stays: retry it again when the work is done.',
    pathParameters: deadLetterPath,
    reply: deadLetterSettledSchema,
    refusals: { ...noDeadLetter, 409: notPossible },
  }),
  discardDeadLetter: system.post('/api/v3/system/dead-letters/{id}/discard', {
    summary: 'Continue without an event',
    description: 'The dead letter is removed; the log keeps the event.',
    pathParameters: deadLetterPath,
    reply: deadLetterSettledSchema,
    refusals: { ...noDeadLetter, 409: notPossible },
  }),
} as const;
