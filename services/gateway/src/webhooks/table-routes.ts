import { nextOffset, type tableRoutes, webhook } from '@mneme/contracts';
import type { UserCaller } from '../auth/caller.ts';
import { JsonText } from '../http/answers.ts';
import { type HttpEndpoints, replyTo } from '../routing/http-endpoint.ts';
import type { SendRequest } from '../send-request.ts';
import { rowJson } from './row-formats.ts';

/** The tables that deliveries become rows of. */
export function tableEndpoints(send: SendRequest): HttpEndpoints<typeof tableRoutes, UserCaller> {
  return {
    listTables: async ({ path }, { minSequence, ...scope }) => {
      const request = { userId: scope.caller.userId, projectId: path.projectId, minSequence };
      return { body: await send(webhook.listTables, request, scope) };
    },
    createTable: async ({ path, body }, scope) => {
      const columns = (body.columns ?? []).map(({ column_name: columnName, display_name, type }) => {
        return { columnName, displayName: display_name ?? columnName, type };
      });
      const request = { userId: scope.caller.userId, projectId: path.projectId, name: body.name, columns };
      const command = { ...request, commandId: scope.commandId };
      return replyTo(await send(webhook.createTable, command, scope));
    },
    getTable: async ({ path }, { minSequence, ...scope }) => {
      const request = { userId: scope.caller.userId, tableId: path.id, minSequence };
      return { body: await send(webhook.getTable, request, scope) };
    },
    listRows: async ({ path, query }, { minSequence, ...scope }) => {
      const request = { userId: scope.caller.userId, tableId: path.id, ...query, minSequence };
      const { rows, total } = await send(webhook.listRows, request, scope);
      const { limit, offset } = query;
      const page = { total, limit, offset, next_offset: nextOffset({ offset, total }, rows.length) };
      const text = `{"rows":[${rows.map(rowJson).join(',')}],${JSON.stringify(page).slice(1)}`;
      return { body: new JsonText(text) };
    },
  };
}
