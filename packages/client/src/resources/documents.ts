import type { Connection } from '../http/connection.ts';
import type { ReadOptions, RequestOptions } from '../http/request.ts';
import { byOffset, type List, type PageOptions, type PagingOptions } from '../paging.ts';
import { given, type ListedDocument } from '../schemas.ts';

interface DocumentQuery {
  /** Part of the document id. */
  readonly q?: string | undefined;
}

export interface ListDocumentsOptions extends ReadOptions, PagingOptions, DocumentQuery {}

export type Documents = ReturnType<typeof documentsOf>;

/** The documents that the memories of an agent come from. */
export function documentsOf({ call }: Connection, agentId: string) {
  const ofDocument = (id: string) => ({ path: { document_id: id }, query: { agent_id: agentId } });
  const read = (part: DocumentQuery & PageOptions, options: ReadOptions) =>
    call('get', '/api/documents', { query: given({ agent_id: agentId, ...part }) }, options);
  return {
    /** All documents, the newest first. */
    list: ({ pageSize, q, ...options }: ListDocumentsOptions = {}): List<ListedDocument> =>
      byOffset({ pageSize }, (part) => read({ q, ...part }, options)),
    /** A part of the list, with the total number. */
    page: ({ q, limit, offset, ...options }: ReadOptions & PageOptions & DocumentQuery = {}) =>
      read({ q, limit, offset }, options),
    /** With `text: false` its text is left out, so that a document of any size can be compared by its hash. */
    get: (id: string, { text, ...options }: ReadOptions & { readonly text?: boolean | undefined } = {}) => {
      const query = given({ agent_id: agentId, text });
      return call('get', '/api/documents/{document_id}', { path: { document_id: id }, query }, options);
    },
    /** Deletes a document and its memories. */
    delete: (id: string, options: RequestOptions = {}) =>
      call('delete', '/api/documents/{document_id}', { ...ofDocument(id) }, options),
  };
}
