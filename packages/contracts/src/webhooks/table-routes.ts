import { z } from 'zod';
import { idInUrl } from '../access/fields.ts';
import { page } from '../http/fields.ts';
import { routesOf } from '../http/route.ts';
import { rowListSchema, tableSchema } from './replies.ts';
import { createTableSchema } from './requests.ts';

const tables = routesOf('Tables', 'user');
export const projectPath = z.object({ projectId: idInUrl });
export const tablePath = z.object({ id: idInUrl });
export const tableNotFound = { 404: 'Table not found: no such table, or you may not manage it' };

/** The tables that deliveries become rows of. The streamed `rows.csv` and `rows.json` are in `webhookStreams`. */
export const tableRoutes = {
  listTables: tables.get('/api/v3/projects/{projectId}/tables', {
    summary: 'List the tables of a project',
    description: 'The newest first.',
    pathParameters: projectPath,
    reply: z.array(tableSchema),
    isRead: true,
    refusals: { 404: 'Project not found' },
  }),
  createTable: tables.post('/api/v3/projects/{projectId}/tables', {
    summary: 'Create a table',
    description: 'A name that is taken gets `_2`, `_3` and so on.',
    pathParameters: projectPath,
    body: createTableSchema,
    reply: tableSchema,
    successStatus: 201,
    isWrite: true,
    refusals: { 404: 'Project not found', 409: 'The project has as many tables as one may have (`ITEMS_PER_USER`)' },
  }),
  getTable: tables.get('/api/v3/tables/{id}', {
    summary: 'Read a table with its columns',
    pathParameters: tablePath,
    reply: tableSchema,
    isRead: true,
    refusals: tableNotFound,
  }),
  listRows: tables.get('/api/v3/tables/{id}/rows', {
    summary: 'List the rows of a table',
    description: 'Waits until the deliveries that had been received are processed.',
    pathParameters: tablePath,
    query: z.object({
      ...page,
      order: z.enum(['desc', 'asc']).default('desc').meta({ description: '`desc`: the newest first' }),
    }),
    reply: rowListSchema,
    isRead: true,
    refusals: tableNotFound,
  }),
} as const;
