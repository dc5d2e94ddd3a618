import { type tableRoutes, webhook } from '@mneme/contracts';
import type { UserCaller } from '../auth/caller.ts';
import { orFail } from '../errors.ts';
import { JsonText } from '../http/answers.ts';
import type { HttpEndpoints } from '../http/endpoints.ts';
import type { SendRequest } from '../send-request.ts';
import { failures } from './failures.ts';
import { rowJson } from './streams/row-formats.ts';

/** The tables that deliveries become rows of. */
export function tableEndpoints(call: SendRequest): HttpEndpoints<typeof tableRoutes, UserCaller> {
  return {
    listTables: ({ path }, { minSequence, ...scope }) =>
      orFail(failures.listTables, async () => {
        const request = { userId: scope.caller.userId, projectId: path.projectId, minSequence };
        return { body: await call(webhook.listTables, request, scope) };
      }),
    createTable: ({ path, body }, scope) =>
      orFail(failures.createTable, async () => {
        const columns = (body.columns ?? []).map(({ column_name: columnName, display_name, type }) => {
          return { columnName, displayName: display_name ?? columnName, type };
        });
        const request = { userId: scope.caller.userId, projectId: path.projectId, name: body.name, columns };
        const command = { ...request, commandId: scope.commandId };
        const { value, position } = await call(webhook.createTable, command, scope);
        return { body: value, position };
      }),
    getTable: ({ path }, { minSequence, ...scope }) =>
      orFail(failures.getTable, async () => {
        const request = { userId: scope.caller.userId, tableId: path.id, minSequence };
        return { body: await call(webhook.getTable, request, scope) };
      }),
    listRows: ({ path, query }, { minSequence, ...scope }) =>
      orFail(failures.listRows, async () => {
        const request = { userId: scope.caller.userId, tableId: path.id, ...query, minSequence };
        const { rows, total } = await call(webhook.listRows, request, scope);
        const { limit, offset } = query;
        const text = `{"rows":[${rows.map(rowJson).join(',')}],"total":${total},"limit":${limit},"offset":${offset}}`;
        return { body: new JsonText(text) };
      }),
  };
}
