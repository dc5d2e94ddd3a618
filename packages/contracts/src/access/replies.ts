import { z } from 'zod';
import { boundAgentSchema, spaceTypeSchema } from './schemas.ts';

const dateTime = z.string().meta({ format: 'date-time' });

export const spaceSchema = z
  .object({ id: z.int(), name: z.string(), type: spaceTypeSchema, owner_id: z.int(), created_at: dateTime })
  .meta({ id: 'Space' });
export type SpaceReply = z.infer<typeof spaceSchema>;

export const projectSchema = z
  .object({ id: z.int(), name: z.string(), space_id: z.int(), created_at: dateTime })
  .meta({ id: 'Project' });
export type ProjectReply = z.infer<typeof projectSchema>;

export const meSchema = z
  .object({
    user_id: z.int(),
    spaces: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        type: spaceTypeSchema,
        projects: z.array(z.object({ id: z.int(), name: z.string() })),
      }),
    ),
  })
  .meta({ id: 'Me' });
export type MeReply = z.infer<typeof meSchema>;

const described = {
  id: z.int(),
  key_prefix: z.string().meta({ description: 'The first 7 characters of the key' }),
  name: z.string(),
  scopes: z.array(z.string()),
  rate_limit: z.int().meta({ description: 'Requests per 60 s' }),
  expires_at: dateTime.nullable(),
};

export const keySchema = z
  .object({
    ...described,
    request_count: z.int().meta({ description: 'Requests accepted since the key was created; up to date within 5 s' }),
    last_used_at: dateTime.nullable(),
    is_active: z.boolean(),
    created_at: dateTime.nullable(),
    agent_id: boundAgentSchema,
    user_id: z.int().nullable().meta({ description: 'Who may change it' }),
  })
  .meta({ id: 'ApiKey' });
export type KeyReply = z.infer<typeof keySchema>;

const plainKey = z.string().meta({ description: 'The whole key. It is not shown again.' });

export const createdKeySchema = z
  .object({ ...described, key: plainKey, created_at: dateTime, message: z.string() })
  .meta({ id: 'CreatedApiKey' });
export type CreatedKeyReply = z.infer<typeof createdKeySchema>;

export const updatedKeySchema = z
  .object({ ...described, is_active: z.boolean(), created_at: dateTime.nullable() })
  .meta({ id: 'UpdatedApiKey' });
export type UpdatedKeyReply = z.infer<typeof updatedKeySchema>;

export const regeneratedKeySchema = z
  .object({ ...described, key: plainKey, message: z.string() })
  .meta({ id: 'RegeneratedApiKey' });
export type RegeneratedKeyReply = z.infer<typeof regeneratedKeySchema>;

export const keyRevokedSchema = z.object({ message: z.string() }).meta({ id: 'ApiKeyRevoked' });
