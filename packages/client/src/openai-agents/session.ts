import type { AgentInputItem, Session } from '@openai/agents';
import type { Agent, Item } from '../agent.ts';
import { newKey, refuseUnknown } from '../http/request.ts';
import { inParallel } from '../in-parallel.ts';
import { questionIn, textOf } from '../prompt-block.ts';
import { deleteDocument, findDocument, plainText, recordOf, recordsIn, unlessMissing } from '../records.ts';

export interface MnemeSessionOptions {
  /** The same id continues a session. Default: a new one. */
  readonly sessionId?: string | undefined;
  /** `false`: messages are kept, but do not become memories. Default: true. */
  readonly remember?: boolean | undefined;
}

/** What is stored, in the order in which it was: an item, or that the last item before it is removed. */
type Stored = { readonly id: string; readonly item: AgentInputItem } | { readonly pop: string };
type StoredItem = Extract<Stored, { readonly item: unknown }>;

/** One batch has at most 1000 items, and a message may need two. */
const maxItemsPerBatch = 500;
/** The largest batch as JSON, in bytes, but for a single item; a server takes 5 MiB unless it is set otherwise. */
const maxBatchBytes = 2 * 1_024 ** 2;
/** The most memories of one search, and more searches than any item has memories for. */
const maxResults = 1_000;
const maxRecalls = 100;

/**
 * A session of the OpenAI Agents SDK in the memory of an agent. It is one document, which several processes may add to at
 * once; items come back as JSON has them. What the user and the assistant say becomes memories beside it.
 */
export class MnemeSession implements Session {
  readonly #agent: Agent;
  readonly #id: string;
  readonly #remembers: boolean;

  /** @throws MnemeError for an option that does not exist */
  constructor(agent: Agent, { sessionId = newKey(), remember = true, ...unknown }: MnemeSessionOptions = {}) {
    refuseUnknown('option', unknown);
    this.#agent = agent;
    this.#id = sessionId;
    this.#remembers = remember;
  }

  async getSessionId(): Promise<string> {
    return this.#id;
  }

  /** All items, or the last `limit`, the oldest first. */
  async getItems(limit?: number): Promise<AgentInputItem[]> {
    const items = remaining(await this.#read()).map(({ item }) => item);
    if (limit === undefined) return items;
    return limit <= 0 ? [] : items.slice(-limit);
  }

  async addItems(items: AgentInputItem[]): Promise<void> {
    const entries = items.map((item) => this.#toItems({ id: newKey(), item }));
    for (const batch of batchesOf(entries)) await this.#append(batch.flat());
  }

  /** Removes and returns the last item, and forgets the memories of it. Each item is returned only once. */
  async popItem(): Promise<AgentInputItem | undefined> {
    if (remaining(await this.#read()).length === 0) return undefined;
    const pop = newKey();
    await this.#append([recordOf({ pop })]);
    const stored = await this.#read();
    const end = stored.findIndex((each) => 'pop' in each && each.pop === pop);
    // The session was cleared since: what is in it now was not popped.
    if (end === -1) return undefined;
    const popped = remaining(stored.slice(0, end)).at(-1);
    if (popped) await this.#forget(popped);
    return popped?.item;
  }

  /** Deletes the document, with the memories of its messages. */
  async clearSession(): Promise<void> {
    await deleteDocument(this.#agent, this.#documentId);
  }

  get #documentId(): string {
    return `openai-agents/${this.#id}`;
  }

  async #read(): Promise<Stored[]> {
    const document = await findDocument(this.#agent, this.#documentId);
    return document ? (recordsIn(document.original_text) as Stored[]) : [];
  }

  async #append(items: readonly Item[]): Promise<void> {
    await this.#agent.remember(items, { documentId: this.#documentId, mode: 'append' });
  }

  /** Text that is remembered, if there is any, and the item itself. */
  #toItems(stored: StoredItem): Item[] {
    const message = this.#remembers ? messageIn(stored.item) : undefined;
    if (!message) return [recordOf(stored)];
    const metadata = { session: this.#id.slice(0, 256), item: stored.id };
    return [{ content: message.text, role: message.role, metadata }, recordOf(stored)];
  }

  async #forget({ id, item }: StoredItem): Promise<void> {
    const text = messageIn(item)?.text;
    if (text === undefined) return;
    const everything = { limit: maxResults, thinkingBudget: maxResults, maxTokens: 10_000_000, minScore: 0 };
    for (let recalls = 0; recalls < maxRecalls; recalls += 1) {
      const { results } = await this.#agent.recall(questionIn(text), { ...everything, filter: { item: id } });
      // Missing ones are forgotten, also by a first try whose reply was lost: the item is popped and must be returned.
      await inParallel(results, 8, ({ id }) => unlessMissing(this.#agent.memories.delete(id)));
      if (results.length < maxResults) return;
    }
  }
}

/** Batches of bounded size. What is stored of one item of the session stays together. */
function batchesOf(entries: readonly (readonly Item[])[]): (readonly Item[])[][] {
  const batches: (readonly Item[])[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = new TextEncoder().encode(JSON.stringify(entry)).length;
    const last = batches.at(-1);
    if (last && last.length < maxItemsPerBatch && bytes + size <= maxBatchBytes) {
      last.push(entry);
      bytes += size;
    } else {
      batches.push([entry]);
      bytes = size;
    }
  }
  return batches;
}

/** The items that are left. */
function remaining(stored: readonly Stored[]): StoredItem[] {
  const items: StoredItem[] = [];
  for (const each of stored) {
    if ('pop' in each) items.pop();
    else items.push(each);
  }
  return items;
}

interface Message {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

const textTypes: ReadonlySet<string> = new Set(['input_text', 'output_text']);

/** What the user or the assistant says in an item. */
function messageIn(item: AgentInputItem): Message | undefined {
  if (!('role' in item) || (item.role !== 'user' && item.role !== 'assistant')) return undefined;
  const { role, content } = item;
  const parts = typeof content === 'string' ? content : content.map(toTextPart);
  const text = plainText(textOf({ role, content: parts }));
  return text === '' ? undefined : { role, text };
}

function toTextPart(part: { readonly type: string }) {
  const isText = textTypes.has(part.type) && 'text' in part;
  return { type: isText ? 'text' : 'other', text: isText ? String(part.text) : '' };
}
