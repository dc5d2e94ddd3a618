import type { Connection } from './http/connection.ts';
import { invalidRequest } from './http/error.ts';
import {
  type CommandOptions,
  type NamesOf,
  type ReadOptions,
  type RequestOptions,
  refuseUnknown,
} from './http/request.ts';
import { type ChatMessage, promptBlock, questionIn } from './prompt-block.ts';
import { type Documents, documentsOf } from './resources/documents.ts';
import { type Memories, memoriesOf } from './resources/memories.ts';
import { type Operations, operationsOf } from './resources/operations.ts';
import { type Profile, profileOf } from './resources/profile.ts';
import {
  type FactType,
  type Graph,
  given,
  isoTime,
  type Metadata,
  type MetadataFilter,
  type Remembered,
  type Role,
  type SearchResponse,
  type Stats,
  type ThinkResponse,
  type Time,
} from './schemas.ts';

/** Something to remember. */
export interface Item {
  readonly content: string;
  /** When it was said or happened. Default: now. */
  readonly eventDate?: Time | undefined;
  /** Where it comes from, such as `turn 3`. */
  readonly context?: string | undefined;
  /** Who said it. */
  readonly role?: Role | undefined;
  readonly metadata?: Metadata | undefined;
  /** `false`: only the text of the document has the item; it becomes no memories. Default: true. */
  readonly extract?: boolean | undefined;
}

export interface RememberOptions extends CommandOptions {
  /** The document that the items make up. */
  readonly documentId?: string | undefined;
  /** Whether the items replace an earlier version of the document, which is the default, or are added to it. */
  readonly mode?: 'append' | 'replace' | undefined;
  /** `false`: returns as soon as the items are durably recorded, before they can be found. Default: true. */
  readonly wait?: boolean | undefined;
  /**
   * How long to wait for that, in seconds, rounded up to whole ones. After it the request fails with 504 and the
   * `operation_id` in the body of the error, and the server goes on. Default: as long as the server waits, and again
   * for each of the `retries`.
   */
  readonly waitSeconds?: number | undefined;
}

/** Which memories a question is about. */
export interface Filters {
  /** Only memories of this document. */
  readonly documentId?: string | undefined;
  /** Only what happened at this time or later. */
  readonly since?: Time | undefined;
  /** Only what happened before this time. */
  readonly until?: Time | undefined;
  /** Only memories with this metadata. */
  readonly filter?: MetadataFilter | undefined;
}

export interface RecallOptions extends ReadOptions, Filters {
  /** The most results. */
  readonly limit?: number | undefined;
  /** Token budget (cl100k) for the texts of all results. Default: 4096. */
  readonly maxTokens?: number | undefined;
  /** Default: all. */
  readonly types?: readonly FactType[] | undefined;
  /** 0 to 1. Default: what the question deserves. */
  readonly minScore?: number | undefined;
  /** The agents to search, instead of this one alone. */
  readonly agentIds?: readonly string[] | undefined;
  /** How results are ordered. */
  readonly reranker?: 'heuristic' | 'none' | 'cross-encoder' | undefined;
  /** The most memories that the search visits. */
  readonly thinkingBudget?: number | undefined;
  /** When the question is asked. Default: now. */
  readonly questionDate?: Time | undefined;
  /** Say how the results were found. */
  readonly trace?: boolean | undefined;
}

export interface ThinkOptions extends ReadOptions, CommandOptions, Filters {
  /** Additional information for this answer. */
  readonly context?: string | undefined;
  /** `false`: the answer and its opinions are not remembered. Default: true. */
  readonly store?: boolean | undefined;
  readonly thinkingBudget?: number | undefined;
  /** When the question is asked; days are shown at its offset. Default: now, in UTC. */
  readonly questionDate?: Time | undefined;
}

export interface ContextOptions extends Omit<RecallOptions, 'trace' | 'maxTokens'> {
  /** The most tokens of the block, dates and sources included, by an estimate on the safe side. Default: 1024. */
  readonly maxTokens?: number | undefined;
}

/** The names of the options with which adapters recall; they have a signal and a limit of tokens of their own. */
export const recallNames: NamesOf<Omit<RecallOptions, 'signal' | 'trace' | 'limit' | 'maxTokens'>> = {
  after: true,
  documentId: true,
  since: true,
  until: true,
  filter: true,
  types: true,
  minScore: true,
  agentIds: true,
  reranker: true,
  thinkingBudget: true,
  questionDate: true,
};
export const contextNames: NamesOf<Omit<ContextOptions, 'signal'>> = { ...recallNames, limit: true, maxTokens: true };

export interface GraphOptions extends ReadOptions {
  readonly type?: FactType | undefined;
  readonly limit?: number | undefined;
  readonly edgeLimit?: number | undefined;
  readonly linkType?: 'temporal' | 'semantic' | 'entity' | undefined;
  readonly since?: Time | undefined;
  readonly until?: Time | undefined;
  /** The name of an entity that the memories mention. */
  readonly entity?: string | undefined;
  readonly documentId?: string | undefined;
}

const defaultBlockTokens = 1_024;

/** One agent of a space, and its memory. */
export interface Agent {
  readonly id: string;
  /** Stores text, an item or up to 1000 items as one batch: all of it or nothing. */
  remember(what: string | Item | readonly (string | Item)[], options?: RememberOptions): Promise<Remembered>;
  /** Finds memories, the best first. */
  recall(query: string, options?: RecallOptions): Promise<SearchResponse>;
  /**
   * Recalls what belongs to a conversation as a block of text for the prompt of a model, with dates and sources. It says
   * that recalled text is data, and no text in it can end the block. Empty if nothing is recalled.
   *
   * @param messages a conversation, whose last message of the user is the question; or the question itself
   */
  context(messages: string | readonly ChatMessage[], options?: ContextOptions): Promise<string>;
  /** Answers a question as the agent, from its memories. */
  think(query: string, options?: ThinkOptions): Promise<ThinkResponse>;
  readonly memories: Memories;
  readonly documents: Documents;
  readonly operations: Operations;
  readonly profile: Profile;
  stats(options?: ReadOptions): Promise<Stats>;
  /** The newest 1000 memories and the strongest 5000 links between them, unless the options say less. */
  graph(options?: GraphOptions): Promise<Graph>;
  /** Erases the agent and everything of it, also from the event log. */
  erase(options?: RequestOptions): Promise<Erased>;
}

type Erased = Awaited<ReturnType<typeof erase>>;

/** @throws MnemeError for an id that is none: without one, the server would read all agents, or `default` */
export function createAgent(connection: Connection, id: string): Agent {
  assertAgentId(id);
  const recall: Agent['recall'] = (query, options = {}) => search(connection, id, query, options);
  return {
    id,
    recall,
    remember: (what, options = {}) => remember(connection, id, what, options),
    context: async (messages, options = {}) => {
      const query = questionIn(messages);
      if (query === '') return '';
      const { maxTokens = defaultBlockTokens } = options;
      return promptBlock((await recall(query, { ...options, maxTokens })).results, maxTokens);
    },
    think: (query, options = {}) => think(connection, id, query, options),
    memories: memoriesOf(connection, id),
    documents: documentsOf(connection, id),
    operations: operationsOf(connection, id),
    profile: profileOf(connection, id),
    stats: (options = {}) => connection.call('get', '/api/stats/{agent_id}', { path: { agent_id: id } }, options),
    graph: (options = {}) => graph(connection, id, options),
    erase: (options = {}) => erase(connection, id, options),
  };
}

async function remember(
  connection: Connection,
  agentId: string,
  what: Parameters<Agent['remember']>[0],
  { documentId, mode, wait = true, waitSeconds, ...options }: RememberOptions,
): Promise<Remembered> {
  const items = (Array.isArray(what) ? what : [what]).map(toItem);
  const body = given({ agent_id: agentId, items, document_id: documentId, mode });
  return wait
    ? await connection.call('post', '/api/memories/batch', { waitSeconds, body }, options)
    : await connection.call('post', '/api/memories/batch_async', { body }, options);
}

function assertAgentId(id: unknown): void {
  if (typeof id === 'string' && id !== '') return;
  throw invalidRequest(`The id of an agent must be a text that is not empty: ${id === '' ? "''" : String(id)}`);
}

/** Fields that an item does not have are for the server to judge, but it takes `event_date`. */
function toItem(item: string | (Item & { readonly event_date?: never })) {
  if (typeof item === 'string') return { content: item };
  const { eventDate, event_date, ...rest } = item;
  refuseUnknown('field of an item', { event_date });
  return given({ ...rest, event_date: isoTime(eventDate) });
}

async function search(connection: Connection, agentId: string, query: string, options: RecallOptions) {
  const { agentIds, types, limit, maxTokens, minScore, reranker, thinkingBudget, questionDate, trace, ...rest } =
    options;
  for (const id of agentIds ?? []) assertAgentId(id);
  const { documentId, since, until, filter, ...request } = rest;
  const body = given({
    query,
    ...filtersIn({ documentId, since, until, filter }),
    agent_id: agentIds ? undefined : agentId,
    agent_ids: agentIds,
    fact_type: types,
    limit,
    max_tokens: maxTokens,
    min_score: minScore,
    reranker,
    thinking_budget: thinkingBudget,
    question_date: isoTime(questionDate),
    trace,
  });
  return connection.call('post', '/api/search', { body }, request);
}

async function think(
  connection: Connection,
  agentId: string,
  query: string,
  { context, store, thinkingBudget, questionDate, documentId, since, until, filter, ...options }: ThinkOptions,
) {
  const filters = filtersIn({ documentId, since, until, filter });
  const asked = { query, agent_id: agentId, context, question_date: isoTime(questionDate) };
  const body = given({ ...asked, store, thinking_budget: thinkingBudget, ...filters });
  return connection.call('post', '/api/think', { body }, options);
}

function filtersIn({ documentId, since, until, filter }: Filters) {
  return { document_id: documentId, since: isoTime(since), until: isoTime(until), metadata: filter };
}

function erase(connection: Connection, agentId: string, options: RequestOptions) {
  return connection.call('delete', '/api/agents/{agent_id}', { path: { agent_id: agentId } }, options);
}

async function graph({ call }: Connection, agentId: string, options: GraphOptions): Promise<Graph> {
  const { type, limit, edgeLimit, linkType, since, until, entity, documentId, ...request } = options;
  const query = given({
    agent_id: agentId,
    fact_type: type,
    limit,
    edge_limit: edgeLimit,
    link_type: linkType,
    since: isoTime(since),
    until: isoTime(until),
    entity,
    document_id: documentId,
  });
  return call('get', '/api/graph', { query }, request);
}
