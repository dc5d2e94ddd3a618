import { z } from 'zod';
import { dateTime, page, queryInteger } from '../http/fields.ts';
import { type Demand, routesOf } from '../http/route.ts';
import { idInUrl } from './fields.ts';
import {
  createdKeySchema,
  keyHistorySchema,
  keyRevokedSchema,
  keySchema,
  meSchema,
  projectSchema,
  regeneratedKeySchema,
  spaceSchema,
  updatedKeySchema,
} from './replies.ts';
import {
  createKeySchema,
  createProjectSchema,
  createSpaceSchema,
  regenerateKeySchema,
  updateKeySchema,
} from './requests.ts';
import { usageBuckets } from './schemas.ts';

const spaces = routesOf('Spaces and projects', 'user');
const keys = routesOf('API keys', 'user');

const keyPath = z.object({ id: idInUrl });
const ofProject = z.object({ project_id: idInUrl });
const projectInQuery: Demand = { in: 'query', name: 'project_id', message: 'project_id is required' };
const projectInBody: Demand = { in: 'body', name: 'project_id', message: 'project_id is required' };
const nameInBody: Demand = { in: 'body', name: 'name', message: 'Name is required' };

/** More keys than fit into one reply, so that all of them are listed unless fewer are asked for. */
const maxListed = 100_000;

const full = { 409: 'You have as many as one user may have (`ITEMS_PER_USER`)' };

/** Under the access policy `strict`, after a change from `spec`. */
const lostSpace = 'With `ACCESS_POLICY=strict`: you do not own the space of your key';

const ofOneKey = (verb: string, alsoRefused = '') => ({
  400: 'project_id is required',
  403: `You can only ${verb} your own API keys${alsoRefused}`,
  404: 'The space of the project never had a key (`api_keys_list table not found`), or has none with this id (`API key not found`)',
  409: 'The key was changed concurrently; try again',
});

/** Users, their spaces and projects, and the API keys of programs. */
export const accessRoutes = {
  me: spaces.get('/api/v3/me', {
    summary: 'Read my user id, my spaces and their projects',
    description: 'The first request of a user creates a personal space "Personal" with a project "Default".',
    reply: meSchema,
    isWrite: true,
  }),
  listSpaces: spaces.get('/api/v3/spaces', {
    summary: 'List my spaces',
    reply: z.array(spaceSchema),
  }),
  createSpace: spaces.post('/api/v3/spaces', {
    summary: 'Create a space',
    description: 'Memory belongs to a space: agents with the same id in two spaces are two agents.',
    body: createSpaceSchema,
    reply: spaceSchema,
    successStatus: 201,
    refusals: full,
  }),
  listProjects: spaces.get('/api/v3/projects', {
    summary: 'List the projects in my spaces',
    reply: z.array(projectSchema),
  }),
  createProject: spaces.post('/api/v3/projects', {
    summary: 'Create a project in one of my spaces',
    body: createProjectSchema,
    reply: projectSchema,
    successStatus: 201,
    refusals: { 404: 'You own no such space', ...full },
  }),
  listKeys: keys.get('/api/v3/api-keys', {
    summary: "List the keys of a project's space",
    description: 'The newest first, of all owners.',
    query: ofProject.extend({
      limit: queryInteger({ min: 1, max: maxListed, default: maxListed, description: 'Maximum number of keys' }),
      offset: page.offset,
    }),
    demands: [projectInQuery],
    reply: z.array(keySchema),
    refusals: { 400: 'project_id is required', 413: 'The keys have more than 16 MiB; list a part of them' },
  }),
  createKey: keys.post('/api/v3/api-keys', {
    summary: 'Create a key',
    description: 'Only this reply contains the whole key; only its SHA-256 is stored.',
    body: createKeySchema,
    demands: [projectInBody, nameInBody],
    reply: createdKeySchema,
    successStatus: 201,
    refusals: {
      400: 'project_id is required; Name is required',
      404: 'Project not found',
      409: `${full[409]}; the key that this request created was regenerated since`,
    },
  }),
  updateKey: keys.patch('/api/v3/api-keys/{id}', {
    summary: 'Change a key',
    description:
      'Takes effect with the next request that uses the key. With `ACCESS_POLICY=strict` the owner of the space may deactivate ' +
      'the keys of others (`is_active: false` and nothing else).',
    pathParameters: keyPath,
    body: updateKeySchema,
    demands: [projectInBody],
    reply: updatedKeySchema,
    refusals: ofOneKey('edit', `. ${lostSpace}, and do more than deactivate it`),
  }),
  revokeKey: keys.delete('/api/v3/api-keys/{id}', {
    summary: 'Revoke a key',
    description:
      'It is refused from the next request on, and no longer listed. With `ACCESS_POLICY=strict` the owner of the space may ' +
      'revoke the keys of others, too.',
    pathParameters: keyPath,
    query: ofProject,
    demands: [projectInQuery],
    reply: keyRevokedSchema,
    refusals: ofOneKey('delete'),
  }),
  regenerateKey: keys.post('/api/v3/api-keys/{id}/regenerate', {
    summary: 'Replace a key by a new one',
    description:
      'The record stays, with its count at 0. The old key is refused from the next request on, or after `overlap_seconds`, ' +
      'during which its requests count as those of the new one. An older key that was still valid ends at once.',
    pathParameters: keyPath,
    body: regenerateKeySchema,
    demands: [projectInBody],
    reply: regeneratedKeySchema,
    refusals: ofOneKey('regenerate', `. ${lostSpace}`),
  }),
  keyHistory: keys.get('/api/v3/api-keys/{id}/usage', {
    summary: 'Read how a key was used, by hour or day',
    description:
      'For those who may list the key. Counts arrive within 10 s and are kept for 90 days. They are for charts: a few are lost ' +
      'when a gateway is killed, while `request_count` of the key is exact.',
    pathParameters: keyPath,
    query: ofProject.extend({
      bucket: z.enum(usageBuckets).default('hour'),
      since: dateTime.optional().meta({
        description:
          'Where to begin. Default and earliest: 24 hours and 31 days ago by hour, 30 and 90 days ago by day',
      }),
    }),
    demands: [projectInQuery],
    reply: keyHistorySchema,
    refusals: { 400: 'project_id is required', 404: 'There is no such key in the space of the project' },
  }),
} as const;
