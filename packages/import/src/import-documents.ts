import { type Agent, MnemeError } from '@mneme/client';
import { utf8Length } from '@mneme/contracts/item-rules';
import pMap from 'p-map';
import { sha256, textOf } from './batches.ts';
import { assertDocumentId, type Fault, type Found, type ImportedDocument } from './found.ts';
import { type KnownDocument, type Stored, storeDocument } from './store-document.ts';

/** `read`: by a dry run, which stores nothing. */
export type Outcome = Stored | 'read';

/** What an import has done so far. */
export interface Summary {
  readonly documents: Record<Outcome, number>;
  /** Items of these documents. */
  items: number;
  /** What is not imported on purpose. */
  leftOut: number;
  /** Documents that were found again with the same content. */
  repeated: number;
  faults: number;
}

interface ImportDeps {
  /** Where to store; undefined for a dry run. */
  readonly agent: Agent | undefined;
  readonly signal: AbortSignal;
  onFault(fault: Fault): void;
  /** Called when a document is stored, or need not be. */
  onDocument?(document: ImportedDocument, outcome: Outcome): void;
  /** Called with about how many more bytes of the files are done with: stored, or passed over. */
  onDone?(bytes: number): void;
}

/** Documents that are stored at the same time. */
const concurrency = 8;
const pageSize = 1_000;
/** The largest document; a server tells the hash of at most 64 MiB. */
const maxDocumentBytes = 20 * 1_024 ** 2;

/**
 * Stores what is found, several documents at a time. A document that cannot be stored is a fault, and the others are stored.
 *
 * @throws MnemeError after which no other document could be stored; the reason of the signal
 */
export async function importDocuments(found: AsyncIterable<Found>, deps: ImportDeps): Promise<Summary> {
  const documents = { stored: 0, replaced: 0, unchanged: 0, read: 0 };
  const summary: Summary = { documents, items: 0, leftOut: 0, repeated: 0, faults: 0 };
  const failed = new AbortController();
  const signal = AbortSignal.any([deps.signal, failed.signal]);
  const store = await createStore(deps.agent, signal);
  const seen = new Map<string, string>();
  const takeDocument = async (document: ImportedDocument) => {
    const hash = sha256(storableText(document));
    const seenHash = seen.get(document.id);
    if (seenHash === hash) {
      summary.repeated += 1;
      return;
    }
    if (seenHash !== undefined) throw new Error(`another document of this import is also called ${document.id}`);
    seen.set(document.id, hash);
    const outcome = await store(document);
    documents[outcome] += 1;
    summary.items += document.items.length;
    deps.onDocument?.(document, outcome);
  };
  const fail = (fault: Fault) => {
    summary.faults += 1;
    deps.onFault(fault);
  };
  const takeOrFail = async (document: ImportedDocument) => {
    try {
      await takeDocument(document);
    } catch (error) {
      if (signal.aborted || endsImport(error)) throw error;
      fail({ place: document.place, reason: reasonOf(error) });
    }
  };
  const take = async (each: Found) => {
    if (each.kind === 'fault') fail(each.fault);
    if (each.kind === 'left-out') summary.leftOut += 1;
    if (each.kind === 'document') await takeOrFail(each.document);
    deps.onDone?.(each.bytes ?? 0);
  };
  try {
    await pMap(found, take, { concurrency, signal: deps.signal });
  } finally {
    failed.abort(new Error('The import has ended'));
  }
  return summary;
}

/** @throws Error if the server would not take the document, or not return it */
function storableText({ id, items }: ImportedDocument): string {
  assertDocumentId(id);
  const text = textOf(items);
  const bytes = utf8Length(text);
  if (bytes > maxDocumentBytes) throw new Error(`the document has ${bytes} bytes, more than 20 MiB; split it`);
  return text;
}

async function createStore(
  agent: Agent | undefined,
  signal: AbortSignal,
): Promise<(document: ImportedDocument) => Promise<Outcome>> {
  if (!agent) return async () => 'read';
  const known = new Map<string, KnownDocument>();
  for await (const { id, content_hash, updated_at } of agent.documents.list({ pageSize, signal })) {
    known.set(id, { hash: content_hash, updatedAt: updated_at });
  }
  return (document) => storeDocument({ agent, known, signal }, document);
}

/** Not a matter of this document: the server, or the right to use it, is missing. */
function endsImport(error: unknown): boolean {
  return error instanceof MnemeError && ![400, 409, 413, 422, 500].includes(error.status);
}

function reasonOf(error: unknown): string {
  if (error instanceof MnemeError) return `the server refused it: ${error.detail}`;
  return error instanceof Error ? error.message : String(error);
}
