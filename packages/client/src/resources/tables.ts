import type { components } from '../api.ts';
import type { Connection } from '../http/connection.ts';
import { type CommandOptions, onlyKnown, type ReadOptions } from '../http/request.ts';
import { byOffset, type List, type PageOptions, type PagingOptions } from '../paging.ts';
import { given, type Row } from '../schemas.ts';

export type CreateTable = components['schemas']['CreateTableRequest'];

export interface RowOrder {
  /** `desc`: the newest first, which is the default. */
  readonly order?: 'desc' | 'asc' | undefined;
}

export interface RowNumbers {
  /**
   * Numbers that JavaScript numbers would change, such as 9007199254740993 and 1.10, become an `ExactNumber`. It needs Node.js
   * 22 or newer, or a browser of its age; elsewhere numbers stay numbers.
   */
  readonly exactNumbers?: boolean | undefined;
}

export interface RowsOptions extends ReadOptions, PagingOptions, RowOrder, RowNumbers {}

/** The tables that deliveries become rows of; they need the token of a user. */
export type Tables = ReturnType<typeof tablesOf>;

export function tablesOf({ call, open }: Connection) {
  return {
    /** The newest first. */
    list: (projectId: number, options: ReadOptions = {}) =>
      call('get', '/api/v3/projects/{projectId}/tables', { path: { projectId } }, options),
    create: async (projectId: number, table: CreateTable, options: CommandOptions = {}) => {
      const body = onlyKnown('field of a table', table, { name: true, columns: true });
      return call('post', '/api/v3/projects/{projectId}/tables', { path: { projectId }, body }, options);
    },
    get: (id: number, options: ReadOptions = {}) => call('get', '/api/v3/tables/{id}', { path: { id } }, options),
    /** One page of `rows`, with the number of all rows; for programs that show pages. */
    rowPage: (
      id: number,
      { order, limit, offset, exactNumbers, ...options }: ReadOptions & RowOrder & RowNumbers & PageOptions = {},
    ) => {
      const query = given({ order, limit, offset });
      return call('get', '/api/v3/tables/{id}/rows', { path: { id }, query, exactNumbers }, options);
    },
    rows: (id: number, { order, pageSize, exactNumbers, ...options }: RowsOptions = {}): List<Row> =>
      byOffset({ pageSize }, async (part) => {
        const query = given({ order, ...part });
        const { rows, total } = await call(
          'get',
          '/api/v3/tables/{id}/rows',
          { path: { id }, query, exactNumbers },
          options,
        );
        return { items: rows, total };
      }),
    /** The whole table as a file. An export that is incomplete ends with an error of the stream. */
    export: (id: number, format: 'csv' | 'json', options: ReadOptions = {}): Promise<Response> =>
      open(`/api/v3/tables/${id}/rows.${format}`, { headers: { accept: '*/*' } }, options),
  };
}
