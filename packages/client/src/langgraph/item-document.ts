import type { Item as StoredItem } from '@langchain/langgraph';
import type { Agent, Item } from '../agent.ts';
import { findDocument, plainText, recordOf, recordsIn } from '../records.ts';
import { searchedText } from './searched-text.ts';

/** Where an item of a store is. */
export interface ItemRef {
  readonly namespace: readonly string[];
  readonly key: string;
}

type Value = Record<string, unknown>;

/** All documents of stores are below this; LangGraph itself has no namespace of this name. */
const root = 'langgraph';

/** The path of a namespace, with a slash between labels and none in them. */
export function pathOf(namespace: readonly string[]): string {
  return namespace.map(escaped).join('/');
}

export function documentIdOf({ namespace, key }: ItemRef): string {
  return [root, ...namespace.map(escaped), escaped(key)].join('/');
}

/** What the ids of all documents in a namespace and below it begin with. */
export function idPrefixOf(namespace: readonly string[]): string {
  return [root, ...namespace.map(escaped), ''].join('/');
}

/** Where the item of a document is; undefined if the document is not that of an item. */
export function refOf(documentId: string): ItemRef | undefined {
  const [first, ...labels] = documentId.split('/');
  const key = labels.pop();
  if (first !== root || key === undefined) return undefined;
  return { namespace: labels.map(unescaped), key: unescaped(key) };
}

function escaped(label: string): string {
  return label.replace(/[%/]/g, encodeURIComponent);
}

function unescaped(label: string): string {
  return label.replace(/%25|%2F/g, decodeURIComponent);
}

/** Replaces the item: text that is searched, with the namespaces above it, and the value itself. */
export async function writeItem(agent: Agent, ref: ItemRef, value: Value, fields: readonly string[]): Promise<void> {
  const text = plainText(searchedText(value, fields));
  const searched: Item = { content: text, metadata: { namespace: prefixesOf(ref.namespace) } };
  const items = text === '' ? [recordOf(value)] : [searched, recordOf(value)];
  await agent.remember(items, { documentId: documentIdOf(ref) });
}

/** The paths of the namespace and of all above it; that of the root is empty. */
function prefixesOf(namespace: readonly string[]): string[] {
  return Array.from({ length: namespace.length + 1 }, (_, depth) => pathOf(namespace.slice(0, depth)));
}

/** Undefined if there is none. */
export async function readItem(agent: Agent, documentId: string): Promise<StoredItem | undefined> {
  const ref = refOf(documentId);
  const document = await findDocument(agent, documentId);
  const value = recordsIn(document?.original_text ?? '').at(-1);
  if (!ref || !document || value === undefined) return undefined;
  return {
    namespace: [...ref.namespace],
    key: ref.key,
    value: value as Value,
    createdAt: new Date(document.created_at),
    updatedAt: new Date(document.updated_at),
  };
}
