import { z } from 'zod';
import { defineRoute } from './route.ts';

const tag = 'System';

/** Calls for operators and tools. */
export const systemRoutes = {
  healthz: defineRoute({
    method: 'get',
    audience: 'anyone',
    path: '/healthz',
    tag,
    summary: 'Whether the process is up',
    reply: z.object({ status: z.literal('ok') }),
  }),
  readyz: defineRoute({
    method: 'get',
    audience: 'anyone',
    path: '/readyz',
    tag,
    summary: 'Whether everything that is needed answers',
    description: 'With 503 the same body names what does not answer.',
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
    summary: 'This document',
    reply: z.looseObject({ openapi: z.string() }),
  }),
} as const;
