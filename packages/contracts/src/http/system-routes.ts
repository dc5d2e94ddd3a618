import { z } from 'zod';
import { defineRoute } from './route.ts';

const tag = 'System';

/** Routes for operators and tools. */
export const systemRoutes = {
  healthz: defineRoute({
    method: 'get',
    audience: 'anyone',
    path: '/healthz',
    tag,
    summary: 'Check that the process is up',
    reply: z.object({ status: z.literal('ok') }),
  }),
  readyz: defineRoute({
    method: 'get',
    audience: 'anyone',
    path: '/readyz',
    tag,
    summary: 'Check that all dependencies respond',
    description: 'A 503 response has the same body and names the dependencies that do not respond.',
    reply: z
      .object({
        status: z.enum(['ready', 'unavailable']),
        checks: z.record(z.string(), z.enum(['ok', 'unavailable'])),
      })
      .meta({ id: 'Readiness' }),
  }),
  openapi: defineRoute({
    method: 'get',
    audience: 'anyone',
    path: '/openapi.json',
    tag,
    summary: 'Get this OpenAPI document',
    reply: z.looseObject({ openapi: z.string() }),
  }),
} as const;
