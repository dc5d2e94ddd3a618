import { z } from 'zod';
import { component, dateTime } from '../http/component.ts';
import { boundAgentSchema, spaceTypeSchema, usageBuckets } from './schemas.ts';

export const spaceSchema = component('Space', {
  id: z.int(),
  name: z.string(),
  type: spaceTypeSchema,
  owner_id: z.int(),
  created_at: dateTime,
});
export type SpaceReply = z.infer<typeof spaceSchema>;

export const projectSchema = component('Project', {
  id: z.int(),
  name: z.string(),
  space_id: z.int(),
  created_at: dateTime,
});
export type ProjectReply = z.infer<typeof projectSchema>;

export const meSchema = component('Me', {
  user_id: z.int(),
  spaces: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      type: spaceTypeSchema,
      projects: z.array(z.object({ id: z.int(), name: z.string() })),
    }),
  ),
});
export type MeReply = z.infer<typeof meSchema>;

const described = {
  id: z.int(),
  key_prefix: z.string().meta({ description: 'The first 7 characters of the key' }),
  name: z.string(),
  scopes: z.array(z.string()),
  rate_limit: z.int().meta({ description: 'Requests per 60 s' }),
  expires_at: dateTime.nullable(),
};

const oldKeyValidUntil = dateTime.optional().meta({
  description: 'Until when the replaced key is valid beside this one; left out when it is not',
});

export const keySchema = component('ApiKey', {
  ...described,
  request_count: z
    .int()
    .meta({ description: 'Requests accepted since the key was created or last regenerated; up to date within 5 s' }),
  last_used_at: dateTime.nullable(),
  is_active: z.boolean(),
  created_at: dateTime.nullable(),
  agent_id: boundAgentSchema,
  user_id: z.int().nullable().meta({ description: 'Who may change it' }),
  old_key_valid_until: oldKeyValidUntil,
});
export type KeyReply = z.infer<typeof keySchema>;

const plainKey = z.string().meta({ description: 'The whole key. It is not shown again.' });

export const createdKeySchema = component('CreatedApiKey', {
  ...described,
  key: plainKey,
  created_at: dateTime,
  message: z.string(),
});
export type CreatedKeyReply = z.infer<typeof createdKeySchema>;

export const updatedKeySchema = component('UpdatedApiKey', {
  ...described,
  is_active: z.boolean(),
  created_at: dateTime.nullable(),
});
export type UpdatedKeyReply = z.infer<typeof updatedKeySchema>;

export const regeneratedKeySchema = component('RegeneratedApiKey', {
  ...described,
  key: plainKey,
  old_key_valid_until: oldKeyValidUntil,
  message: z.string(),
});
export type RegeneratedKeyReply = z.infer<typeof regeneratedKeySchema>;

export const keyRevokedSchema = component('ApiKeyRevoked', { message: z.string() });

export const keyHistorySchema = component('ApiKeyUsage', {
  id: z.int(),
  bucket: z.enum(usageBuckets),
  since: dateTime.meta({ description: 'The beginning of the first point' }),
  points: z
    .array(
      z.object({
        start: dateTime,
        requests: z.int().meta({ description: 'Accepted requests' }),
        refused: z.int().meta({ description: 'Requests beyond the rate limit' }),
      }),
    )
    .meta({ description: 'One for each hour or day in UTC, the oldest first, also those without requests' }),
});
export type KeyHistoryReply = z.infer<typeof keyHistorySchema>;
