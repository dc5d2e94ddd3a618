import { z } from 'zod';
import { idInUrl } from '../access/fields.ts';
import { page } from '../http/fields.ts';
import { defineRoute } from '../http/route.ts';
import { rowListSchema, tableSchema } from './replies.ts';
import { createTableSchema } from './requests.ts';

const tag = 'Tables';
const audience = 'user';
const projectPath = z.object({ projectId: idInUrl });
const tablePath = z.object({ id: idInUrl });
const notFound = { 404: 'Table not found: no such table, or you may not manage it' };

/** The tables that deliveries become rows of. The streamed `rows.csv` and `rows.json` are in `webhookStreams`. */
export const tableRoutes = {
  listTables: defineRoute({
    method: 'get',
    path: '/api/v3/projects/{projectId}/tables',
    tag,
    summary: 'List the tables of a project',
    description: 'The newest first.',
    pathParameters: projectPath,
    reply: z.array(tableSchema),
    isRead: true,
    audience,
    refusals: { 404: 'Project not found' },
  }),
  createTable: defineRoute({
    method: 'post',
    path: '/api/v3/projects/{projectId}/tables',
    tag,
    summary: 'Create a table',
    description: 'A name that is taken gets `_2`, `_3` and so on.',
    pathParameters: projectPath,
    body: createTableSchema,
    reply: tableSchema,
    successStatus: 201,
    isWrite: true,
    audience,
    refusals: { 404: 'Project not found' },
  }),
  getTable: defineRoute({
    method: 'get',
    path: '/api/v3/tables/{id}',
    tag,
    summary: 'Read a table with its columns',
    pathParameters: tablePath,
    reply: tableSchema,
    isRead: true,
    audience,
    refusals: notFound,
  }),
  listRows: defineRoute({
    method: 'get',
    path: '/api/v3/tables/{id}/rows',
    tag,
    summary: 'List the rows of a table',
    description: 'Waits until the deliveries that had been received are processed.',
    pathParameters: tablePath,
    query: z.object({
      ...page,
      order: z.enum(['desc', 'asc']).default('desc').meta({ description: '`desc`: the newest first' }),
    }),
    reply: rowListSchema,
    isRead: true,
    audience,
    refusals: notFound,
  }),
} as const;
