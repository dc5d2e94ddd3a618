import type { Entity, FactType, Personality } from '@mneme/contracts';
import type { Binary, Collection, Db } from 'mongodb';
import { linkIndexes, unitIndexes } from './indexes.ts';

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
  /** What the item said, where the text says it in other words; null where it does not. */
  readonly source: string | null;
  readonly context: string | null;
  readonly factType: FactType;
  readonly entities: readonly Entity[];
  readonly eventDate: Date;
  /** Its place among all units that the agent ever had, from 1; later ones are greater. */
  readonly ordinal: number;
  /** How often the fact was stored; near-duplicates count, and make no unit of their own. */
  readonly mentions: number;
  /** How sure the agent is of an opinion, 0 to 1; null for facts. */
  readonly confidence: number | null;
  /** Tokens of cl100k in `text`. */
  readonly tokens: number;
  /** The distinct lower-case words of text and context, for the list's `q`. */
  readonly words: readonly string[];
  /** The sequence of the event that it came from, and its place among the facts of the batch. */
  readonly sequence: number;
  readonly fact: number;
}

/** A unit as it is stored: with its vector as the event had it, little-endian float32, so that linking is exact. */
export type StoredUnit = Unit & { readonly vector: Binary };

/** Someone or something that an agent's units mention. `_id` is `<agentKey>:<key of the first name>`. */
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
  readonly mentions: number;
  /** The youngest units that mention it, the youngest last. */
  readonly recentUnits: readonly string[];
}

export const linkTypes = ['temporal', 'semantic', 'entity'] as const;

/** A link between two units of one agent, kept once and good in both directions. `_id` is `<type>:<from>:<to>`. */
export interface StoredLink {
  readonly _id: string;
  readonly space: string;
  readonly agentKey: string;
  readonly type: (typeof linkTypes)[number];
  /** The older unit. */
  readonly from: string;
  /** The younger unit. */
  readonly to: string;
  /** 0 to 1. */
  readonly weight: number;
  /** The name of the entity that both mention; null for other links. */
  readonly entity: string | null;
}

/** How many links an agent has, by type; `_id` is the agent key. A type that never occurred is missing. */
export interface StoredLinkCounts extends Partial<Record<StoredLink['type'], number>> {
  readonly _id: string;
}

/** Units that are gone for every reader, and still to be removed: of a document, or everything of an erased agent. */
export interface StoredRemoval {
  /** `<agentKey>:<documentKey>`, or the agent key alone. */
  readonly _id: string;
  readonly lane: number;
  readonly space: string;
  readonly agentKey: string;
  /** Null: everything of the agent. */
  readonly documentKey: string | null;
  /** Units of events before this sequence are meant. */
  readonly before: number;
}

/** What is known of a document; kept without its text when it is deleted, so that an older version cannot come back. */
export interface StoredDocument {
  /** `<agentKey>:<documentKey>` */
  readonly _id: string;
  readonly space: string;
  readonly agentKey: string;
  readonly documentKey: string;
  readonly documentId: string;
  readonly originalText: string;
  readonly textLength: number;
  readonly contentHash: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The sequence at which this version was submitted, or the document deleted; a version submitted earlier is ignored. */
  readonly submittedSequence: number;
  readonly isDeleted: boolean;
}

/** A batch on its way. `_id` is its UUID. */
export interface StoredOperation {
  readonly _id: string;
  readonly space: string;
  readonly agentKey: string;
  readonly agentId: string;
  readonly documentId: string | null;
  readonly status: 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'dismissed';
  readonly itemsCount: number;
  readonly unitsCreated: number;
  readonly attempts: number;
  readonly errorMessage: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly submittedSequence: number;
  /** The sequence of the event that ended it. */
  readonly settledSequence: number | null;
  /** What was submitted, joined by newlines; only while it waits to become a document. */
  readonly pendingText: string | null;
}

/** `_id` is the agent key. */
export interface StoredAgent {
  readonly _id: string;
  readonly space: string;
  readonly agentId: string;
  readonly personality: Personality;
  readonly background: string;
  /** How many units it ever had. */
  readonly unitCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface MemoryCollections {
  readonly units: Collection<StoredUnit>;
  readonly documents: Collection<StoredDocument>;
  readonly operations: Collection<StoredOperation>;
  readonly agents: Collection<StoredAgent>;
  readonly entities: Collection<StoredEntity>;
  readonly links: Collection<StoredLink>;
  readonly linkCounts: Collection<StoredLinkCounts>;
  readonly removals: Collection<StoredRemoval>;
}

/** The collections of one version of the read model: `units@1` and so on. */
export function memoryCollections(db: Db, version: number): MemoryCollections {
  return {
    units: db.collection(`units@${version}`),
    documents: db.collection(`documents@${version}`),
    operations: db.collection(`operations@${version}`),
    agents: db.collection(`agents@${version}`),
    entities: db.collection(`entities@${version}`),
    links: db.collection(`links@${version}`),
    linkCounts: db.collection(`link_counts@${version}`),
    removals: db.collection(`removals@${version}`),
  };
}

/** Creates the collections with what the queries rely on; does nothing where it exists. */
export async function createIndexes(collections: MemoryCollections): Promise<void> {
  const { units, documents, operations, agents, entities, links, linkCounts, removals } = collections;
  // None is to be made within a transaction.
  await linkCounts.createIndex({ _id: 1 });
  await removals.createIndexes([{ key: { space: 1, agentKey: 1 } }, { key: { lane: 1 } }]);
  await units.createIndexes([
    ...Object.values(unitIndexes).map((key) => ({ key })),
    { key: { agentKey: 1, documentKey: 1 } },
  ]);
  await documents.createIndexes([{ key: { agentKey: 1, createdAt: -1, _id: 1 } }]);
  await operations.createIndexes([{ key: { agentKey: 1, status: 1, submittedSequence: 1 } }]);
  await agents.createIndexes([{ key: { space: 1, updatedAt: -1, _id: 1 } }, { key: { space: 1, agentId: 1 } }]);
  await entities.createIndexes([
    { key: { agentKey: 1, aliases: 1 } },
    { key: { agentKey: 1, parts: 1 } },
    { key: { recentUnits: 1 } },
  ]);
  await links.createIndexes(Object.values(linkIndexes).map((key) => ({ key })));
}

/** The key of a document in its collection. */
export function documentRowId(agentKey: string, documentKey: string): string {
  return `${agentKey}:${documentKey}`;
}
