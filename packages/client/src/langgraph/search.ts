import type { Item, SearchOperation } from '@langchain/langgraph';
import type { Agent } from '../agent.ts';
import { inParallel } from '../in-parallel.ts';
import { questionIn } from '../prompt-block.ts';
import type { SearchResult } from '../schemas.ts';
import { documentIdOf, idPrefixOf, pathOf, readItem } from './item-document.ts';
import { meets } from './value-filter.ts';

export interface FoundItem extends Item {
  /** 0 to 1; not there if there was no query, or the item is not searched. */
  score?: number;
}

/** The most documents that are requested at a time. */
const width = 8;
const pageSize = 1_000;
/** The most results of one search, and enough tokens for their texts. */
const maxResults = 1_000;
const maxTokens = 10_000_000;

/** The items of a namespace and of those below it: the best first if there is a query, otherwise the newest. */
export async function search(agent: Agent, operation: SearchOperation, minScore: number): Promise<FoundItem[]> {
  if (operation.limit !== undefined && operation.limit <= 0) return [];
  const query = questionIn(operation.query ?? '');
  return query === '' ? listItems(agent, operation) : findItems(agent, { ...operation, query }, minScore);
}

async function listItems(agent: Agent, operation: SearchOperation): Promise<FoundItem[]> {
  const { namespacePrefix, filter, limit = 10, offset = 0 } = operation;
  const ids = idsBelow(agent, namespacePrefix);
  if (filter) return part(readItems(agent, ids, operation), offset, limit);
  // Those before the offset need not be read.
  return part(readItems(agent, await part(ids, offset, limit), operation), 0, limit);
}

/** The ids of the documents in a namespace and below it, the newest first. */
export async function* idsBelow({ documents }: Agent, namespace: readonly string[]): AsyncGenerator<string> {
  const prefix = idPrefixOf(namespace);
  for await (const { id } of documents.list({ q: prefix, pageSize })) if (id.startsWith(prefix)) yield id;
}

/** Asks for more memories until there are enough items, since one item may have many. */
async function findItems(
  agent: Agent,
  operation: SearchOperation & { readonly query: string },
  minScore: number,
): Promise<FoundItem[]> {
  const { namespacePrefix, query, limit = 10, offset = 0 } = operation;
  const filter = { namespace: pathOf(namespacePrefix) };
  for (let asked = Math.min(4 * (offset + limit), maxResults); ; asked = Math.min(4 * asked, maxResults)) {
    const { results } = await agent.recall(query, { limit: asked, thinkingBudget: asked, maxTokens, minScore, filter });
    const scores = bestScores(results);
    const isAll = results.length < asked || asked === maxResults;
    const ids = isAll && minScore === 0 ? withOthers(scores, idsBelow(agent, namespacePrefix)) : scores.keys();
    const items = await part(readItems(agent, ids, operation), offset, limit);
    if (isAll || items.length === limit) return items.map((item) => withScore(item, scores.get(documentIdOf(item))));
  }
}

/** As in LangGraph's own stores, items that are not searched follow those that are. */
async function* withOthers(scores: ReadonlyMap<string, number>, all: AsyncIterable<string>): AsyncGenerator<string> {
  yield* scores.keys();
  for await (const id of all) if (!scores.has(id)) yield id;
}

function withScore(item: Item, score: number | undefined): FoundItem {
  return score === undefined ? item : { ...item, score };
}

/** By document, in the order of the results. */
function bestScores(results: readonly SearchResult[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const { document_id: id, score } of results) {
    if (id !== null) scores.set(id, Math.max(score, scores.get(id) ?? 0));
  }
  return scores;
}

/** The items of these documents that a filter wants, read as they are asked for. */
async function* readItems(
  agent: Agent,
  ids: AsyncIterable<string> | Iterable<string>,
  { filter, limit = width }: SearchOperation,
): AsyncGenerator<Item> {
  for await (const some of inRuns(ids, Math.min(width, limit))) {
    for (const item of await inParallel(some, width, (id) => readItem(agent, id))) {
      if (item && (!filter || meets(item.value, filter))) yield item;
    }
  }
}

async function* inRuns<T>(items: AsyncIterable<T> | Iterable<T>, length: number): AsyncGenerator<T[]> {
  let run: T[] = [];
  for await (const item of items) {
    run.push(item);
    if (run.length < length) continue;
    yield run;
    run = [];
  }
  if (run.length > 0) yield run;
}

async function part<T>(items: AsyncIterable<T>, offset: number, limit: number): Promise<T[]> {
  const taken: T[] = [];
  let before = offset;
  for await (const item of items) {
    if (before > 0) before -= 1;
    else taken.push(item);
    if (taken.length === limit) break;
  }
  return taken;
}
