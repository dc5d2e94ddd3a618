import { z } from 'zod';
import { component } from './component.ts';
import { queryBoolean } from './fields.ts';
import { routesOf } from './route.ts';

const system = routesOf('System', 'anyone');

const readiness = component('Readiness', {
  status: z.enum(['ready', 'unavailable']),
  checks: z.record(z.string(), z.string()).meta({ description: '`ok`, `unavailable`, or what is wrong' }),
  waiting: z
    .record(z.string(), z.int())
    .optional()
    .meta({ description: 'How many agents, tables and keys of a service wait for a dead letter, where some do' }),
});

/** Routes for operators and tools. */
export const systemRoutes = {
  healthz: system.get('/healthz', {
    summary: 'Check that the process is up',
    reply: z.object({ status: z.literal('ok') }),
  }),
  readyz: system.get('/readyz', {
    summary: 'Check that all dependencies respond',
    query: z.object({
      own: queryBoolean(false, 'Check only NATS and the event log, without which nothing can be accepted'),
    }),
    reply: readiness,
    refusals: { 503: 'Not everything responds; the body says what does not' },
    errorReplies: { 503: readiness },
  }),
  openapi: system.get('/openapi.json', {
    summary: 'Get this OpenAPI document',
    reply: z.looseObject({ openapi: z.string() }),
  }),
} as const;
