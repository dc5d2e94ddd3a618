import { z } from 'zod';
import { component } from '../http/component.ts';
import { routesOf } from '../http/route.ts';
import { meSchema } from './replies.ts';
import { boundAgentSchema } from './schemas.ts';

const callerSchema = component('Caller', {
  kind: z.enum(['user', 'key', 'public']).meta({
    description: '`public`: without credentials, where the memory area needs none',
  }),
  user_id: z.int().nullable().meta({ description: 'The user, or the owner of the key' }),
  is_operator: z.boolean().meta({ description: 'Whether `/api/v3/system` may be used' }),
  space_id: z.int().nullable().meta({
    description: 'The space whose memory requests like this one use; null: that of unauthenticated callers',
  }),
  spaces: meSchema.shape.spaces.meta({ description: 'Of a user; otherwise empty' }),
  can_read: z.boolean().meta({ description: 'Whether memory may be read' }),
  can_write: z.boolean().meta({ description: 'Whether memory may be changed' }),
  agent_id: boundAgentSchema.meta({ description: 'The only agent that the key may access; null: any of the space' }),
  key: z
    .object({
      id: z.int(),
      scopes: z.array(z.string()),
      rate_limit: z.int().meta({ description: 'Requests per 60 s' }),
      expires_at: z.string().nullable().meta({ format: 'date-time' }),
    })
    .nullable(),
});
export type CallerReply = z.infer<typeof callerSchema>;

const callers = routesOf('Spaces and projects');

/** Who a credential belongs to. */
export const callerRoutes = {
  caller: callers.get('/api/v3/caller', {
    summary: 'Read who I am and what I may do',
    description: 'With a token, with a key of any scopes, or without credentials. It counts as a request of the key.',
    reply: callerSchema,
    scope: 'none',
  }),
} as const;
