import { type Agent, type Item, MnemeError, type Operation } from '@mneme/client';
import { batchesOf, sha256, textOf } from './batches.ts';
import type { ImportedDocument } from './found.ts';

/** A document as the server has it. */
export interface KnownDocument {
  /** Null for one that was appended to. */
  readonly hash: string | null;
  readonly updatedAt: string;
}

interface StoreDeps {
  readonly agent: Agent;
  /** What the agent had when the import began, by id. */
  readonly known: ReadonlyMap<string, KnownDocument>;
  readonly signal: AbortSignal;
}

/** `unchanged`: nothing was sent. */
export type Stored = 'stored' | 'replaced' | 'unchanged';

/** How often a document is sent anew that was removed since it was sent with the same key. */
const maxRounds = 10;

/**
 * Stores a document once, however often and wherever it is interrupted and called again.
 *
 * Its keys come from the content and from what the server had before, so a second try of the same import repeats its
 * requests, and going back to an earlier content is a new one. The server keeps keys for a day; after that, and whenever the
 * document is complete, its hash tells that there is nothing to do.
 *
 * @throws Error why it could not be stored
 */
export async function storeDocument(deps: StoreDeps, document: ImportedDocument): Promise<Stored> {
  const known = deps.known.get(document.id);
  const hash = sha256(textOf(document.items));
  const storedHash = known?.hash === null ? await currentHash(deps, document.id) : known?.hash;
  if (storedHash === hash) return 'unchanged';
  const batches = batchesOf(document.items);
  for (let round = 0; round < maxRounds; round += 1) {
    const state = JSON.stringify([document.items, known ?? null, round]);
    if ((await sendOnce(deps, document.id, batches, state)) && (await currentHash(deps, document.id)) === hash) {
      return known ? 'replaced' : 'stored';
    }
  }
  throw new Error('it was stored, but something else changes or deletes it; import it again');
}

/**
 * Replaces the document by the first batch and appends the others. Their keys contain the operation of the first: if that is
 * carried out anew, so are they. Each waits for the one before: a batch that is appended while the first one is not yet
 * stored could be taken for a repetition of the version that is about to be removed.
 *
 * @returns false if the keys are used up: what they stored was cancelled, dismissed or erased
 */
async function sendOnce(deps: StoreDeps, documentId: string, batches: Item[][], state: string): Promise<boolean> {
  let first: string | undefined;
  for (const [index, batch] of batches.entries()) {
    const seed = index === 0 ? state : JSON.stringify([first, index, batch]);
    const operation = await submit(deps, documentId, batch, { seed, isFirst: index === 0 });
    if (operation === undefined || !(await isCompleted(deps, operation))) return false;
    first ??= operation;
  }
  return true;
}

/** @returns the operation; undefined if the agent was erased since the key was used */
async function submit(
  { agent, signal }: StoreDeps,
  documentId: string,
  items: Item[],
  { seed, isFirst }: { readonly seed: string; readonly isFirst: boolean },
): Promise<string | undefined> {
  const idempotencyKey = `import-${sha256(JSON.stringify([agent.id, documentId, seed]))}`;
  const mode = isFirst ? 'replace' : 'append';
  try {
    const { operation_id } = await agent.remember(items, { documentId, mode, wait: false, idempotencyKey, signal });
    return operation_id;
  } catch (error) {
    if (error instanceof MnemeError && error.status === 409) return undefined;
    throw error;
  }
}

/**
 * Waits for an operation. One that failed gets another chance: it may have failed in an import before this one.
 *
 * @throws Error why it failed
 */
async function isCompleted(deps: StoreDeps, id: string): Promise<boolean> {
  const first = await settled(deps, id);
  if (first?.status !== 'failed') return first?.status === 'completed';
  if (!(await isRetried(deps, id))) return false;
  const second = await settled(deps, id);
  if (second?.status === 'failed')
    throw new Error(`the server could not store it: ${second.error_message ?? 'unknown'}`);
  return second?.status === 'completed';
}

/** @returns false if somebody has dismissed the operation, which its status does not show */
async function isRetried({ agent, signal }: StoreDeps, id: string): Promise<boolean> {
  return (await agent.operations.retry(id, { signal }).catch(undefinedIfMissing)) !== undefined;
}

async function settled({ agent, signal }: StoreDeps, id: string): Promise<Operation | undefined> {
  return agent.operations.wait(id, { signal }).catch(undefinedIfMissing);
}

async function currentHash({ agent, signal }: StoreDeps, id: string): Promise<string | null | undefined> {
  return (await agent.documents.get(id, { text: false, signal }).catch(undefinedIfMissing))?.content_hash;
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof MnemeError && error.status === 404) return;
  throw error;
}
