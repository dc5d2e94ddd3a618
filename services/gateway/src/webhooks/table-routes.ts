import { nextOffset, type tableRoutes, webhook } from '@mneme/contracts';
import type { UserCaller } from '../auth/caller.ts';
import { JsonText } from '../http/answers.ts';
import { commandBy, type HttpEndpoints, queryBy, replyTo } from '../routing/http-endpoint.ts';
import type { SendRequest } from '../send-request.ts';
import { rowJson } from './row-formats.ts';

/** The tables that deliveries become rows of. */
export function tableEndpoints(send: SendRequest): HttpEndpoints<typeof tableRoutes, UserCaller> {
  return {
    listTables: async ({ path: { projectId } }, scope) => {
      return { body: await send(webhook.listTables, { ...queryBy(scope), projectId }, scope) };
    },
    createTable: async ({ path, body }, scope) => {
      const columns = (body.columns ?? []).map(({ column_name: columnName, display_name, type }) => {
        return { columnName, displayName: display_name ?? columnName, type };
      });
      const command = { ...commandBy(scope), projectId: path.projectId, name: body.name, columns };
      return replyTo(await send(webhook.createTable, command, scope));
    },
    getTable: async ({ path }, scope) => {
      return { body: await send(webhook.getTable, { ...queryBy(scope), tableId: path.id }, scope) };
    },
    listRows: async ({ path, query }, scope) => {
      const request = { ...queryBy(scope), tableId: path.id, ...query };
      const { rows, total } = await send(webhook.listRows, request, scope);
      const { limit, offset } = query;
      const page = { total, limit, offset, next_offset: nextOffset({ offset, total }, rows.length) };
      const text = `{"rows":[${rows.map(rowJson).join(',')}],${JSON.stringify(page).slice(1)}`;
      return { body: new JsonText(text) };
    },
  };
}
