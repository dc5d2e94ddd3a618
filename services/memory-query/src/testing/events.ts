import { agentKey, type MemoryEvent, type MemoryEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { createHashedEmbeddings, embeddedText } from '@mneme/models';

const embeddings = createHashedEmbeddings();
const started = Date.UTC(2026, 0, 1);
const attributes: Readonly<Record<string, string>> = {};
const eventDate = '2026-01-01T00:00:00.000Z';

/** Creates events as the log holds them: numbered, one second apart. @param after the sequence before the first one */
export function createLogWriter(space = 'public', agentId = 'alice', after = 0) {
  let sequence = after;
  const agent = { space, agentId };

  function record<E extends MemoryEvent>(event: E): Recorded<E> {
    sequence += 1;
    return {
      ...event,
      id: `event-${sequence}`,
      version: 1,
      source: 'test',
      subject: 'test',
      time: new Date(started + sequence * 1_000).toISOString(),
      position: { stream: 'MEMORY', sequence },
      correlationId: 'test',
      causationId: undefined,
      attributes,
      actor: undefined,
    };
  }

  const submitted = (operationId: string, documentId: string | null, ...contents: string[]) =>
    record<MemoryEventOf<'BatchSubmitted'>>({
      type: 'BatchSubmitted',
      data: {
        ...agent,
        operationId,
        documentId,
        part: 0,
        parts: 1,
        itemsCount: contents.length,
        items: contents.map((content) => ({ content, eventDate: null, context: null })),
      },
    });

  const extracted = async (operationId: string, documentId: string | null, ...texts: string[]) =>
    record<MemoryEventOf<'FactsExtracted'>>({
      type: 'FactsExtracted',
      data: {
        ...agent,
        operationId,
        documentId,
        part: 0,
        parts: 1,
        firstFact: 0,
        extractor: 'test',
        embeddingModel: embeddings.name,
        facts: await Promise.all(texts.map(fact)),
        contexts: {},
      },
    });

  return {
    record,
    submitted,
    extracted,
    /** A batch that is submitted, and its facts. */
    batch: async (operationId: string, documentId: string | null, ...texts: string[]) =>
      [submitted(operationId, documentId, 'x'), await extracted(operationId, documentId, ...texts)] as const,
    /** The submission of a batch as one that is appended to its document. */
    appended: ({
      data,
      ...rest
    }: Recorded<MemoryEventOf<'BatchSubmitted'>>): Recorded<MemoryEventOf<'BatchSubmitted'>> => ({
      ...rest,
      data: { ...data, mode: 'append' },
    }),
    /** The vectors of an event that was stored without them; see `withoutVectors`. */
    vectorsAdded: ({ data, position }: Recorded<MemoryEventOf<'FactsExtracted'>>) =>
      record<MemoryEvent>({
        type: 'VectorsAdded',
        data: {
          ...agent,
          operationId: data.operationId,
          firstFact: data.firstFact,
          embeddingModel: data.embeddingModel,
          of: position.sequence,
          vectors: data.facts.map(({ vector }) => vector),
        },
      }),
    started: (operationId: string, attempt = 1) =>
      record<MemoryEvent>({ type: 'OperationStarted', data: { ...agent, operationId, attempt } }),
    failed: (operationId: string) =>
      record<MemoryEvent>({
        type: 'OperationFailed',
        data: { ...agent, operationId, message: 'no model', attempts: 5 },
      }),
    cancelled: (operationId: string) =>
      record<MemoryEvent>({ type: 'OperationCancelled', data: { ...agent, operationId } }),
    dismissed: (operationId: string) =>
      record<MemoryEvent>({ type: 'OperationDismissed', data: { ...agent, operationId } }),
    retried: (operationId: string) =>
      record<MemoryEvent>({ type: 'OperationRetried', data: { ...agent, operationId } }),
    corrected: async (unitId: string, text: string) => {
      const { vector, entities } = await fact(text, 0);
      const by = { correctionId: `correction-${sequence}`, embeddingModel: embeddings.name, extractor: 'test' };
      return record<MemoryEventOf<'UnitCorrected'>>({
        type: 'UnitCorrected',
        data: { ...agent, unitId, text, eventDate, entities, vector, ...by },
      });
    },
    forgotten: (unitId: string) => record<MemoryEvent>({ type: 'UnitForgotten', data: { ...agent, unitId } }),
    erased: () => record<MemoryEvent>({ type: 'AgentErased', data: { space, agentKey: agentKey(agent) } }),
    deleted: (documentId: string) => record<MemoryEvent>({ type: 'DocumentDeleted', data: { ...agent, documentId } }),
  };
}

/** The same event as it is recorded when its vectors follow later. */
export function withoutVectors(event: Recorded<MemoryEventOf<'FactsExtracted'>>) {
  const facts = event.data.facts.map((fact) => ({ ...fact, vector: '' }));
  return { ...event, data: { ...event.data, facts } };
}

const people = /\b(Alice|Bob|Carol)( [A-Z][a-z]+)?\b/gu;

/** A fact of the world; Alice, Bob and Carol, with a last name or without, are its entities. */
async function fact(text: string, item: number) {
  const [vector] = await embeddings.embed([embeddedText({ text })]);
  if (!vector) throw new Error('The model gave no vector');
  const base64 = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
  const entities = [...text.matchAll(people)].map(([name]) => ({ name, type: 'PERSON' as const }));
  return { text, item, factType: 'world' as const, eventDate, entities, vector: base64 };
}
