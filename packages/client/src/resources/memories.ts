import type { Connection } from '../http/connection.ts';
import { type CommandOptions, type ReadOptions, type RequestOptions, refuseUnknown } from '../http/request.ts';
import { byOffset, type List, type PageOptions, type PagingOptions } from '../paging.ts';
import { type FactType, given, type ListedMemory } from '../schemas.ts';

interface MemoryQuery {
  readonly type?: FactType | undefined;
  /** Words that the text or context must contain. */
  readonly q?: string | undefined;
  /** Only memories of this document, in their order in it. */
  readonly documentId?: string | undefined;
}

export interface ListMemoriesOptions extends ReadOptions, PagingOptions, MemoryQuery {}

export type Memories = ReturnType<typeof memoriesOf>;

/** The memories of an agent, one by one. */
export function memoriesOf({ call }: Connection, agentId: string) {
  const ofUnit = (id: string) => ({ path: { unit_id: id }, query: { agent_id: agentId } });
  const read = ({ type, documentId, ...rest }: MemoryQuery & PageOptions, options: ReadOptions) => {
    const query = given({ agent_id: agentId, fact_type: type, document_id: documentId, ...rest });
    return call('get', '/api/list', { query }, options);
  };
  return {
    /** All memories, the newest first. */
    list: ({ pageSize, type, q, documentId, ...options }: ListMemoriesOptions = {}): List<ListedMemory> =>
      byOffset({ pageSize }, (part) => read({ type, q, documentId, ...part }, options)),
    /** A part of the list, with the total number. */
    page: ({ type, q, documentId, limit, offset, ...options }: ReadOptions & PageOptions & MemoryQuery = {}) =>
      read({ type, q, documentId, limit, offset }, options),
    /** One memory, and where it comes from. */
    get: (id: string, options: ReadOptions = {}) => call('get', '/api/memory/{unit_id}', ofUnit(id), options),
    /** How the text and confidence of an opinion changed, when and why. */
    opinionHistory: (id: string, options: ReadOptions = {}) =>
      call('get', '/api/opinions/{unit_id}/history', ofUnit(id), options),
    /** Corrects the text of a memory. With `expectedText`, only if it is the present text; 409 otherwise. */
    update: async (
      id: string,
      { text, expectedText, ...unknown }: { readonly text: string; readonly expectedText?: string },
      options: CommandOptions = {},
    ) => {
      refuseUnknown('option', unknown);
      const body = given({ text, expected_text: expectedText });
      return call('patch', '/api/memory/{unit_id}', { ...ofUnit(id), body }, options);
    },
    /** Forgets a memory and its links. */
    delete: (id: string, options: RequestOptions = {}) => call('delete', '/api/memory/{unit_id}', ofUnit(id), options),
  };
}
