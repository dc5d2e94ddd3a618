import { z } from 'zod';
import { type Demand, defineRoute } from '../http/route.ts';
import { idInUrl } from './fields.ts';
import {
  createdKeySchema,
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

const spaces = 'Spaces and projects';
const keys = 'API keys';
const audience = 'user';

const keyPath = z.object({ id: idInUrl });
const ofProject = z.object({ project_id: idInUrl });
const projectInQuery: Demand = { in: 'query', name: 'project_id', message: 'project_id is required' };
const projectInBody: Demand = { in: 'body', name: 'project_id', message: 'project_id is required' };
const nameInBody: Demand = { in: 'body', name: 'name', message: 'Name is required' };

const ofOneKey = (verb: string) => ({
  400: 'project_id is required',
  403: `You can only ${verb} your own API keys`,
  404: 'The space of the project never had a key (`api_keys_list table not found`), or has none with this id (`API key not found`)',
  409: 'The key was changed concurrently; try again',
});

/** Users, their spaces and projects, and the API keys of programs. */
export const accessRoutes = {
  me: defineRoute({
    method: 'get',
    path: '/api/v3/me',
    tag: spaces,
    summary: 'Read my user id, my spaces and their projects',
    description: 'The first request of a user creates a personal space "Personal" with a project "Default".',
    reply: meSchema,
    isRead: true,
    isWrite: true,
    audience,
  }),
  listSpaces: defineRoute({
    method: 'get',
    path: '/api/v3/spaces',
    tag: spaces,
    summary: 'List my spaces',
    reply: z.array(spaceSchema),
    isRead: true,
    audience,
  }),
  createSpace: defineRoute({
    method: 'post',
    path: '/api/v3/spaces',
    tag: spaces,
    summary: 'Create a space',
    description: 'Memory belongs to a space: agents with the same id in two spaces are two agents.',
    body: createSpaceSchema,
    reply: spaceSchema,
    successStatus: 201,
    isWrite: true,
    audience,
  }),
  listProjects: defineRoute({
    method: 'get',
    path: '/api/v3/projects',
    tag: spaces,
    summary: 'List the projects in my spaces',
    reply: z.array(projectSchema),
    isRead: true,
    audience,
  }),
  createProject: defineRoute({
    method: 'post',
    path: '/api/v3/projects',
    tag: spaces,
    summary: 'Create a project in one of my spaces',
    body: createProjectSchema,
    reply: projectSchema,
    successStatus: 201,
    isWrite: true,
    audience,
    refusals: { 404: 'You own no such space' },
  }),
  listKeys: defineRoute({
    method: 'get',
    path: '/api/v3/api-keys',
    tag: keys,
    summary: "List the keys of a project's space",
    description: 'The newest first, of all owners.',
    query: ofProject,
    demands: [projectInQuery],
    reply: z.array(keySchema),
    isRead: true,
    audience,
    refusals: { 400: 'project_id is required' },
  }),
  createKey: defineRoute({
    method: 'post',
    path: '/api/v3/api-keys',
    tag: keys,
    summary: 'Create a key',
    description: 'Only this reply contains the whole key; only its SHA-256 is stored.',
    body: createKeySchema,
    demands: [projectInBody, nameInBody],
    reply: createdKeySchema,
    successStatus: 201,
    isWrite: true,
    audience,
    refusals: { 400: 'project_id is required; Name is required', 404: 'Project not found' },
  }),
  updateKey: defineRoute({
    method: 'patch',
    path: '/api/v3/api-keys/{id}',
    tag: keys,
    summary: 'Change a key',
    description: 'Holds from the next request that carries the key.',
    pathParameters: keyPath,
    body: updateKeySchema,
    demands: [projectInBody],
    reply: updatedKeySchema,
    isWrite: true,
    audience,
    refusals: ofOneKey('edit'),
  }),
  revokeKey: defineRoute({
    method: 'delete',
    path: '/api/v3/api-keys/{id}',
    tag: keys,
    summary: 'Revoke a key',
    description: 'It is refused from the next request on, and no longer listed.',
    pathParameters: keyPath,
    query: ofProject,
    demands: [projectInQuery],
    reply: keyRevokedSchema,
    isWrite: true,
    audience,
    refusals: ofOneKey('delete'),
  }),
  regenerateKey: defineRoute({
    method: 'post',
    path: '/api/v3/api-keys/{id}/regenerate',
    tag: keys,
    summary: 'Replace a key by a new one',
    description: 'The record stays, with its count at 0; the old key is refused from the next request on.',
    pathParameters: keyPath,
    body: regenerateKeySchema,
    demands: [projectInBody],
    reply: regeneratedKeySchema,
    isWrite: true,
    audience,
    refusals: ofOneKey('regenerate'),
  }),
} as const;
