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
  const page = ({ q, limit, offset, ...options }: ReadOptions & PageOptions & DocumentQuery = {}) =>
    call('get', '/api/documents', { ...options, query: given({ agent_id: agentId, q, limit, offset }) });
  return {
    /** All documents, the newest first. */
    list: ({ pageSize, ...options }: ListDocumentsOptions = {}): List<ListedDocument> =>
      byOffset({ pageSize }, (part) => page({ ...options, ...part })),
    /** A part of the list, with the total number. */
    page,
    /** With `text: false` its text is left out, so that a document of any size can be compared by its hash. */
    get: (id: string, { text, ...options }: ReadOptions & { readonly text?: boolean | undefined } = {}) => {
      const query = given({ agent_id: agentId, text });
      return call('get', '/api/documents/{document_id}', { ...options, path: { document_id: id }, query });
    },
    /** Deletes a document and its memories. */
    delete: (id: string, options: RequestOptions = {}) =>
      call('delete', '/api/documents/{document_id}', { ...options, ...ofDocument(id) }),
  };
}
