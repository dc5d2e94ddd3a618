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
  const page = ({ type, q, documentId, limit, offset, ...options }: ReadOptions & PageOptions & MemoryQuery = {}) =>
    call('get', '/api/list', {
      ...options,
      query: given({ agent_id: agentId, fact_type: type, q, document_id: documentId, limit, offset }),
    });
  return {
    /** All memories, the newest first. */
    list: ({ pageSize, ...options }: ListMemoriesOptions = {}): List<ListedMemory> =>
      byOffset({ pageSize }, (part) => page({ ...options, ...part })),
    /** A part of the list, with the total number. */
    page,
    /** One memory, and where it comes from. */
    get: (id: string, options: ReadOptions = {}) => call('get', '/api/memory/{unit_id}', { ...options, ...ofUnit(id) }),
    /** How the text and confidence of an opinion changed, when and why. */
    opinionHistory: (id: string, options: ReadOptions = {}) =>
      call('get', '/api/opinions/{unit_id}/history', { ...options, ...ofUnit(id) }),
    /** Corrects the text of a memory. With `expectedText`, only if it is the present text; 409 otherwise. */
    update: async (
      id: string,
      { text, expectedText, ...unknown }: { readonly text: string; readonly expectedText?: string },
      options: CommandOptions = {},
    ) => {
      refuseUnknown('option', unknown);
      const body = given({ text, expected_text: expectedText });
      return call('patch', '/api/memory/{unit_id}', { ...options, ...ofUnit(id), body });
    },
    /** Forgets a memory and its links. */
    delete: (id: string, options: RequestOptions = {}) =>
      call('delete', '/api/memory/{unit_id}', { ...options, ...ofUnit(id) }),
  };
}
