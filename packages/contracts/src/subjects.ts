import { hash } from 'node:crypto';

/** The JetStream stream that holds every event of the memory area. */
export const memoryStream = { name: 'MEMORY', subjects: ['memory.>'] } as const;

/** The JetStream stream that holds every event about users, spaces, projects and keys. */
export const accessStream = { name: 'ACCESS', subjects: ['access.>'] } as const;

/** The JetStream stream that holds every event about webhooks, their deliveries and their tables. */
export const webhookStream = { name: 'WEBHOOKS', subjects: ['webhooks.>'] } as const;

/** How many partitions the agents are spread over; part of every subject, so it never changes. */
export const partitions = 64;

/** An agent, named by the space that it lives in and the caller's free text. */
export interface AgentRef {
  readonly space: string;
  readonly agentId: string;
}

/** A name for an agent that is safe in a subject: 32 hexadecimal digits of SHA-256 over space and agent id. */
export function agentKey({ space, agentId }: AgentRef): string {
  return shortHash([space, agentId]);
}

/** A name for a document that is safe in a subject: 32 hexadecimal digits of SHA-256 over its id. */
export function documentKey(documentId: string): string {
  return shortHash([documentId]);
}

/** The partition of an agent key, 0 to 63. */
export function partitionOf(key: string): number {
  return Number.parseInt(key.slice(0, 8), 16) % partitions;
}

/** Subjects of the memory area: one literal subject per aggregate, the agent's key in all of them. */
export const memorySubjects = {
  agent: (agent: AgentRef): string => subject('agent', agentKey(agent)),
  operation: (agent: AgentRef, operationId: string): string => subject('operation', agentKey(agent), operationId),
  /** Every operation of an agent. */
  operationsOf: (agent: AgentRef): string => subject('operation', agentKey(agent), '>'),
  unit: (agent: AgentRef, unitId: string): string => subject('unit', agentKey(agent), unitId),
  /** The answer to one question and its opinions; the id is that of the request. */
  thought: (agent: AgentRef, thoughtId: string): string => subject('thought', agentKey(agent), thoughtId),
  document: (agent: AgentRef, documentId: string): string =>
    subject('document', agentKey(agent), documentKey(documentId)),
  /** Everything of an agent but the agent itself, which stands under `agent`. */
  allOf: (agent: AgentRef): string => `memory.${partitionOf(agentKey(agent))}.*.${agentKey(agent)}.>`,
  /** Which embedding model the log is for. */
  embeddingModel: 'memory.settings.embedding-model',
  /** The vectors that another embedding model has for the event of an agent at a sequence. */
  vectors: (agent: AgentRef, embeddingModel: string, sequence: number): string =>
    `${subject('vectors', agentKey(agent), shortHash([embeddingModel]))}.${sequence}`,
  /** All that an embedding model has for events that are not its own. */
  allVectors: (embeddingModel: string): string => `memory.*.vectors.*.${shortHash([embeddingModel])}.*`,
  /** For finding an operation of which only the id is known. */
  anyOperation: (operationId: string): string => `memory.*.operation.*.${operationId}`,
  /** What the ingest handler listens to. */
  allOperations: 'memory.*.operation.>',
  /** Where opinions are formed, and units reworded. */
  allOpinions: ['memory.*.thought.>', 'memory.*.unit.>'],
} as const;

/** Subjects of the access area: one literal subject per aggregate. */
export const accessSubjects = {
  ...idSubjects('access'),
  user: (userId: number): string => `access.user.${userId}`,
  space: (spaceId: number): string => `access.space.${spaceId}`,
  project: (projectId: number): string => `access.project.${projectId}`,
  key: (keyId: number): string => `access.key.${keyId}`,
} as const;

/** Subjects of the webhook area: one literal subject per aggregate. */
export const webhookSubjects = {
  ...idSubjects('webhooks'),
  webhook: (webhookId: number): string => `webhooks.webhook.${webhookId}`,
  /** The deliveries of a webhook, in the order in which they came. The subject is older than the word. */
  deliveries: (webhookId: number): string => `webhooks.call.${webhookId}`,
  /** The deliveries of all webhooks. */
  allDeliveries: 'webhooks.call.>',
  /** What was decided about all webhooks. */
  allWebhooks: 'webhooks.webhook.>',
  /** Which names of tables a project has. */
  tableNames: (projectId: number): string => `webhooks.names.${projectId}`,
  table: (tableId: number): string => `webhooks.table.${tableId}`,
} as const;

/** The key of the agent that a subject of the memory area belongs to; undefined for any other subject. */
export function agentKeyOf(subject: string): string | undefined {
  const [area, , , key] = subject.split('.');
  return area === 'memory' ? key : undefined;
}

/** The subjects by which an area assigns ids. */
function idSubjects(area: string) {
  return {
    /** Which numbers of a kind have been given out. */
    numbers: (kind: string): string => `${area}.numbers.${kind}`,
    /** Which number the command of a user has for what it makes. */
    command: (kind: string, userId: number, commandId: string): string =>
      `${area}.command.${shortHash([kind, String(userId), commandId])}`,
  };
}

function subject(kind: string, key: string, id?: string): string {
  const aggregate = `memory.${partitionOf(key)}.${kind}.${key}`;
  return id === undefined ? aggregate : `${aggregate}.${id}`;
}

/** Over the JSON form, which keeps apart what UTF-8 would make the same: broken surrogates, and where one part ends. */
function shortHash(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, 32);
}
