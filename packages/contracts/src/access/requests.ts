import { z } from 'zod';
import { integer } from '../http/fields.ts';
import { boundAgent, rateLimit, recordId, scopes, title } from './fields.ts';
import { spaceTypeSchema } from './schemas.ts';

/** The longest time until a key expires, in days. */
export const maxKeyDays = 3_650;

export const createSpaceSchema = z
  .object({ name: title, type: spaceTypeSchema })
  .meta({ id: 'CreateSpaceRequest', example: { name: 'Research', type: 'team' } });

export const createProjectSchema = z
  .object({ name: title, space_id: recordId })
  .meta({ id: 'CreateProjectRequest', example: { name: 'Assistant', space_id: 1 } });

const projectId = recordId.meta({ description: 'The project in whose space the key works' });

export const createKeySchema = z
  .object({
    name: title,
    project_id: projectId,
    scopes: scopes.nullish(),
    expires_in_days: integer()
      .max(maxKeyDays)
      .nullish()
      .meta({ description: 'Greater than 0: the key expires after this number of days; otherwise it does not expire' }),
    rate_limit: rateLimit.nullish(),
    agent_id: boundAgent.optional(),
  })
  .meta({
    id: 'CreateApiKeyRequest',
    description: 'Without `scopes`: `["*"]`; without `rate_limit`: 1000. Other fields are ignored.',
    example: { name: 'Assistant in production', project_id: 1, scopes: ['memory:read'], expires_in_days: 90 },
  });

export const updateKeySchema = z
  .object({
    project_id: projectId,
    name: title.nullish(),
    scopes: scopes.nullish(),
    is_active: z.boolean().nullish().meta({ description: 'False: the key is refused from the next request on' }),
    rate_limit: rateLimit.nullish(),
  })
  .meta({
    id: 'UpdateApiKeyRequest',
    description: 'Fields that are left out stay as they are. Other fields are ignored.',
  });

export const regenerateKeySchema = z.object({ project_id: projectId }).meta({ id: 'RegenerateApiKeyRequest' });
