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

/** How to page through deliveries and rows, which may be large. */
export const earlyEnd =
  'A page may end before `limit`, because it has at most 8 MiB: continue at `next_offset`, which is `offset` plus the ' +
  'number received.';

/** The tables that deliveries become rows of. The streamed `rows.csv` and `rows.json` are in `webhookStreams`. */
export const tableRoutes = {
  listTables: tables.get('/api/v3/projects/{projectId}/tables', {
    summary: 'List the tables of a project',
    description: 'The newest first.',
    pathParameters: projectPath,
    reply: z.array(tableSchema),
    refusals: { 404: 'Project not found', 413: 'The tables have more than 16 MiB of columns; read each by its id' },
  }),
  createTable: tables.post('/api/v3/projects/{projectId}/tables', {
    summary: 'Create a table',
    description: 'A name that is taken gets `_2`, `_3` and so on.',
    pathParameters: projectPath,
    body: createTableSchema,
    reply: tableSchema,
    successStatus: 201,
    refusals: { 404: 'Project not found', 409: 'The project has as many tables as one may have (`ITEMS_PER_USER`)' },
  }),
  getTable: tables.get('/api/v3/tables/{id}', {
    summary: 'Read a table with its columns',
    pathParameters: tablePath,
    reply: tableSchema,
    refusals: tableNotFound,
  }),
  listRows: tables.get('/api/v3/tables/{id}/rows', {
    summary: 'List the rows of a table',
    description: `Waits until the deliveries that had been received are processed. ${earlyEnd}`,
    pathParameters: tablePath,
    query: z.object({
      ...page,
      order: z.enum(['desc', 'asc']).default('desc').meta({ description: '`desc`: the newest first' }),
    }),
    reply: rowListSchema,
    refusals: tableNotFound,
  }),
} as const;
