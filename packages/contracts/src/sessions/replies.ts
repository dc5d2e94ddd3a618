import { z } from 'zod';
import { boundAgentSchema } from '../access/schemas.ts';
import { component } from '../http/component.ts';

/** Whom a browser acts for, and how it can sign in. */
export const sessionSchema = component('Session', {
  signed_in_as: z
    .enum(['user', 'key'])
    .nullable()
    .meta({ description: 'Null: not signed in; requests are unauthenticated' }),
  user_id: z.int().nullable(),
  is_operator: z.boolean().meta({ description: 'Whether `/api/v3/system` may be used' }),
  key: z
    .object({ id: z.int(), scopes: z.array(z.string()), agent_id: boundAgentSchema })
    .nullable()
    .meta({ description: 'Of a session that was opened with an API key' }),
  expires_at: z.string().nullable().meta({ description: 'ISO 8601 in UTC; null without a session' }),
  memory_is_open: z.boolean().meta({ description: 'Whether the public space can be used without signing in' }),
  identity_provider: z.boolean().meta({ description: 'Whether `/api/v3/session/provider` signs in' }),
});
export type SessionReply = z.infer<typeof sessionSchema>;

export const signedOutSchema = component('SignedOut', { signed_out: z.boolean() });
