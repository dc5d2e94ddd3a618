import { z } from 'zod';
import { component } from '../http/component.ts';
import { integer } from '../http/fields.ts';
import { boundAgent, rateLimit, recordId, scopes, title } from './fields.ts';
import { spaceTypeSchema } from './schemas.ts';

/** The longest time until a key expires, in days. */
const maxKeyDays = 3_650;

export const createSpaceSchema = component(
  'CreateSpaceRequest',
  { name: title, type: spaceTypeSchema },
  { example: { name: 'Research', type: 'team' } },
);

export const createProjectSchema = component(
  'CreateProjectRequest',
  { name: title, space_id: recordId },
  { example: { name: 'Assistant', space_id: 1 } },
);

const projectId = recordId.meta({ description: 'The project in whose space the key works' });

export const createKeySchema = component(
  'CreateApiKeyRequest',
  {
    name: title,
    project_id: projectId,
    scopes: scopes.nullish(),
    expires_in_days: integer()
      .max(maxKeyDays)
      .nullish()
      .meta({ description: 'Greater than 0: the key expires after this number of days; otherwise it does not expire' }),
    rate_limit: rateLimit.nullish(),
    agent_id: boundAgent.optional(),
  },
  {
    description: 'Without `scopes`: `["*"]`; without `rate_limit`: 1000. Other fields are ignored.',
    example: { name: 'Assistant in production', project_id: 1, scopes: ['memory:read'], expires_in_days: 90 },
  },
);

export const updateKeySchema = component(
  'UpdateApiKeyRequest',
  {
    project_id: projectId,
    name: title.nullish(),
    scopes: scopes.nullish(),
    is_active: z.boolean().nullish().meta({ description: 'False: the key is refused from the next request on' }),
    rate_limit: rateLimit.nullish(),
  },
  {
    description: 'Fields that are left out stay as they are. Other fields are ignored.',
    example: { project_id: 1, name: 'Assistant in production', rate_limit: 500 },
  },
);

/** The longest time for which a replaced key stays valid, in seconds: 7 days. */
const maxOverlapSeconds = 7 * 24 * 60 * 60;

export const regenerateKeySchema = component(
  'RegenerateApiKeyRequest',
  {
    project_id: projectId,
    overlap_seconds: integer().min(0).max(maxOverlapSeconds).default(0).meta({
      description: 'How long the old key stays valid beside the new one; 0: it is refused from the next request on',
    }),
  },
  { example: { project_id: 1, overlap_seconds: 3_600 } },
);
