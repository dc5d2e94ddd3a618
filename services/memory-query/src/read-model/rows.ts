import type { DocumentMode, Entity, FactType, ItemRole, Personality } from '@mneme/contracts';
import { makeIndexes } from '@mneme/read-models';
import type { Binary, Collection, Db, IndexDescription } from 'mongodb';

/** A memory unit: one fact that an agent remembers. `_id` is its UUID. */
export interface Unit {
  readonly _id: string;
  readonly space: string;
  readonly agentKey: string;
  readonly agentId: string;
  readonly documentKey: string | null;
  readonly documentId: string | null;
  readonly operationId: string;
  readonly text: string;
  readonly context: string | null;
  readonly factType: FactType;
  readonly entities: readonly Entity[];
  readonly eventDate: Date;
  /** Numbers all units that the agent has ever had, from 1, in the order of the log. */
  readonly ordinal: number;
  /** How often the fact was stored; near-duplicates are counted and become no units. */
  readonly mentions: number;
  /** How sure the agent is of an opinion, 0 to 1; null for facts. */
  readonly confidence: number | null;
  /** Tokens of cl100k in `text`. */
  readonly tokens: number;
  /** The distinct lower-case words of text and context, each between spaces, for the list's `q`. */
  readonly words: string;
  /** The sequence of the event that created it. */
  readonly sequence: number;
  /** The sequence of the event that it has its text from; missing if that is the one that created it. */
  readonly reworded?: number;
  /** A hash of what it depends on beside its own words, see `settingsOf`; missing or null if it depends on nothing else. */
  readonly setting?: string | null;
  /** Whether it stays one of its own although another says the same, because a user has corrected it. */
  readonly isKept?: boolean;
  /** The sequence at which its batch was submitted; that of its own event for an opinion. */
  readonly submitted: number;
  /**
   * The sequence at which the version of its document that it belongs to was submitted, which may not be stored yet; 0
   * without one. Units that were submitted before are removed with the former version.
   */
  readonly version: number;
  /** Which of the batches of its document it came with, see `StoredTurn`; 0 without a document. */
  readonly turn: number;
  /** Whether its batch was appended to the document. */
  readonly isAppended: boolean;
  /** Its index among the facts of the batch. */
  readonly fact: number;
  readonly passage: Passage;
  /** The index in the batch of the item that it was extracted from. */
  readonly item: number;
  /** Who said it, if the caller told. */
  readonly role: ItemRole | null;
  /** JSON of what the caller attached to the item, since MongoDB gives a meaning to some keys. */
  readonly metadata: string | null;
  /** What filters by metadata compare; see `tagsOf`. Sorted. */
  readonly tags: readonly string[];
}

/** Consecutive facts of one item, up to a length: what a search compares as a whole. Named by the indexes of its facts. */
export interface Passage {
  readonly first: number;
  readonly last: number;
  /** The text of all of it, on its first unit only; null where the text of that unit says the same. */
  readonly text: string | null;
}

/** A unit as it is stored: with the exact vector of the event, in little-endian float32, from which links are derived. */
export type StoredUnit = Unit & { readonly vector: Binary };

/** A person or thing that an agent's units mention. `_id` is `<agentKey>:<key of the first name>`. */
export interface StoredEntity {
  readonly _id: string;
  readonly space: string;
  readonly agentKey: string;
  /** The fullest name so far. */
  readonly name: string;
  readonly type: Entity['type'];
  /** The keys of all names under which it was mentioned. */
  readonly aliases: readonly string[];
  /** First and last parts of a person's names, by which other mentions may be matched. */
  readonly parts: readonly string[];
  /** How many units mention it. Of those that are gone, the ones that were not among the newest still count. */
  readonly mentions: number;
  /** The newest units that mention it, the newest last. */
  readonly recentUnits: readonly string[];
}

export const linkTypes = ['temporal', 'semantic', 'entity'] as const;

/** A link between two units of one agent, valid in both directions; at most one of each type between two units. */
export interface Link {
  readonly type: (typeof linkTypes)[number];
  /** The id of the older unit. */
  readonly from: string;
  /** The id of the newer unit. */
  readonly to: string;
  /** 0 to 1. */
  readonly weight: number;
  /** The name of the entity that both mention; null for other links. */
  readonly entity: string | null;
}

/**
 * The links of a unit to older ones, in one row, because a unit has about fifteen. `_id` is the id of the unit. A unit that
 * never had such links has no row.
 */
export interface StoredLinks {
  readonly _id: string;
  readonly agentKey: string;
  readonly links: readonly Omit<Link, 'to'>[];
}

/** How many links an agent has, by type; `_id` is the agent key. Types without a link are missing. */
export interface StoredLinkCounts extends Partial<Record<Link['type'], number>> {
  readonly _id: string;
}

/** A pending removal: units that no longer exist for any reader, of a document or of an erased agent. */
export interface StoredRemoval {
  /** `<agentKey>:<documentKey>`, or the agent key alone. */
  readonly _id: string;
  readonly lane: number;
  readonly space: string;
  readonly agentKey: string;
  /** Null: everything of the agent. */
  readonly documentKey: string | null;
  /** Only units of events before this sequence are removed; of a document, units that were submitted before it. */
  readonly before: number;
}

/** A document; its text is in its turns. The row of a deleted one is kept, so that an older version cannot replace it. */
export interface StoredDocument {
  /** `<agentKey>:<documentKey>` */
  readonly _id: string;
  readonly space: string;
  readonly agentKey: string;
  readonly documentKey: string;
  readonly documentId: string;
  /** Of the version that was stored last; see `isAppended`. */
  readonly textLength: number;
  readonly contentHash: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /**
   * The sequence at which this version was submitted, or the document deleted; what was submitted earlier is ignored. 0 for
   * a document that has only been appended to.
   */
  readonly submittedSequence: number;
  /** The sequence at which the newest version was submitted, stored or not; 0 if there is none. */
  readonly newestVersion: number;
  /** The sequence at which its newest turn was submitted. */
  readonly newestSequence: number;
  /** The number of the turn that was submitted last, stored or not. */
  readonly turns: number;
  /** Whether turns were appended to this version; then length and hash follow from the turns. */
  readonly isAppended: boolean;
  /** Whether it does not exist: it was deleted, or nothing of it has been stored yet. */
  readonly isDeleted: boolean;
}

/**
 * A part of a document, with its text: what one batch stored, which is a version of the document or was appended to it.
 * The turns of a document are numbered from 1 in the order of their submission; the number of a batch that failed is missing.
 */
export interface StoredTurn {
  /** `<agentKey>:<documentKey>:<turn>` */
  readonly _id: string;
  readonly space: string;
  readonly agentKey: string;
  readonly documentKey: string;
  readonly operationId: string;
  /** The sequence at which it was submitted; the order of the turns. */
  readonly submitted: number;
  /** How many facts it has, repeated ones included. */
  readonly facts: number;
  readonly text: string;
  readonly textLength: number;
}

/** A batch and its processing. `_id` is its UUID. */
export interface StoredOperation {
  readonly _id: string;
  readonly space: string;
  readonly agentKey: string;
  readonly agentId: string;
  readonly documentId: string | null;
  readonly mode: DocumentMode;
  /** See `StoredTurn`; 0 without a document. */
  readonly turn: number;
  readonly status: 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'dismissed';
  readonly itemsCount: number;
  readonly unitsCreated: number;
  /** How many facts are stored, repeated ones included. */
  readonly facts: number;
  readonly attempts: number;
  readonly errorMessage: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly submittedSequence: number;
  /** The sequence of the event that ended it. */
  readonly settledSequence: number | null;
  /**
   * The submitted texts, joined by newlines, until they become a turn of the document. Megabytes of a large batch, so it is
   * only read where it is needed: undefined where it was not, and then it is not written either.
   */
  readonly pendingText?: string | null | undefined;
}

/** `_id` is the agent key. */
export interface StoredAgent {
  readonly _id: string;
  readonly space: string;
  readonly agentId: string;
  readonly personality: Personality;
  readonly background: string;
  /** How many units it has ever had. */
  readonly unitCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface MemoryCollections {
  readonly units: Collection<StoredUnit>;
  readonly documents: Collection<StoredDocument>;
  readonly turns: Collection<StoredTurn>;
  readonly operations: Collection<StoredOperation>;
  readonly agents: Collection<StoredAgent>;
  readonly entities: Collection<StoredEntity>;
  readonly links: Collection<StoredLinks>;
  readonly linkCounts: Collection<StoredLinkCounts>;
  readonly removals: Collection<StoredRemoval>;
}

/** The collections of one version of the read model: `units@1` and so on. */
export function memoryCollections(db: Db, version: number): MemoryCollections {
  return {
    units: db.collection(`units@${version}`),
    documents: db.collection(`documents@${version}`),
    turns: db.collection(`turns@${version}`),
    operations: db.collection(`operations@${version}`),
    agents: db.collection(`agents@${version}`),
    entities: db.collection(`entities@${version}`),
    links: db.collection(`links@${version}`),
    linkCounts: db.collection(`link_counts@${version}`),
    removals: db.collection(`removals@${version}`),
  };
}

/**
 * Indexes that queries name as a hint. Without a hint the server tries several indexes before it chooses one, so that a page
 * far down a list of 100,000 units takes 0.7 s instead of 50 ms.
 */
export const unitIndexes = {
  /** For units of all types a query names all of them, and the server merges their entries by date. */
  ofSpace: { space: 1, factType: 1, eventDate: -1, _id: 1 },
  ofAgent: { agentKey: 1, eventDate: -1, _id: 1 },
  ofAgentByType: { agentKey: 1, factType: 1, eventDate: -1, _id: 1 },
  /**
   * Finds and counts units by their words without reading rows: all entries of the agent are compared. An entry for each word
   * would cost more than everything else that storing a unit costs, see `docs/decisions/0054-one-index-entry-for-all-words.md`.
   */
  withWords: { agentKey: 1, eventDate: -1, _id: 1, words: 1 },
  inTime: { agentKey: 1, eventDate: 1, ordinal: 1 },
  /** Also finds and counts those of an earlier version, which are being removed, without reading the rows of the present one. */
  ofDocument: { agentKey: 1, documentKey: 1, submitted: 1 },
} as const;

export const turnIndexes = {
  /** Covers the length of a document. */
  ofDocument: { agentKey: 1, documentKey: 1, submitted: 1, textLength: 1 },
  /** Covers which batches stand before and after a turn, without reading its text. */
  byNumber: { _id: 1, operationId: 1, facts: 1 },
} as const;

export const linkIndexes = {
  /** Finds the rows of the newer units that are linked to a unit. */
  from: { 'links.from': 1 },
} as const;

/** Creates the collections and their indexes; does nothing if they exist. */
export async function createIndexes(collections: MemoryCollections): Promise<void> {
  const { units, documents, turns, operations, agents, entities, links, linkCounts, removals } = collections;
  // Creates the collection, because none may be created within a transaction.
  await linkCounts.createIndex({ _id: 1 });
  const each = (keys: Readonly<Record<string, IndexDescription['key']>>) => Object.values(keys).map((key) => ({ key }));
  await makeIndexes([
    [removals, [{ key: { space: 1, agentKey: 1 } }, { key: { lane: 1 } }]],
    [units, each(unitIndexes)],
    [documents, [{ key: { agentKey: 1, createdAt: -1, _id: 1 } }]],
    [turns, each(turnIndexes)],
    [operations, [{ key: { agentKey: 1, status: 1, submittedSequence: 1 } }]],
    [agents, [{ key: { space: 1, updatedAt: -1, _id: 1 } }, { key: { space: 1, agentId: 1 } }]],
    [entities, [{ key: { agentKey: 1, aliases: 1 } }, { key: { agentKey: 1, parts: 1 } }, { key: { recentUnits: 1 } }]],
    [links, each(linkIndexes)],
  ]);
}

/** ISO 8601 in UTC with milliseconds. */
export function timestamp(date: Date): string {
  return date.toISOString();
}
