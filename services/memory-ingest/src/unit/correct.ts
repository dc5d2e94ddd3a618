import {
  type Entity,
  type MemoryEventOf,
  type memoryIngest,
  memoryStream,
  memorySubjects,
  type ReplyOf,
  type RequestOf,
  WireError,
} from '@mneme/contracts';
import { embedAll } from '@mneme/embedding-model';
import { execute, formatPosition, newestStore } from '@mneme/event-store';
import { once } from '@mneme/workers/once';
import type { ModelContext } from '../best-effort.ts';
import type { PresentModels } from '../deps.ts';
import { type ForgetUnitDeps, locateUnit } from './commands.ts';
import { correctionDecider } from './decider.ts';

export interface CorrectUnitDeps extends ForgetUnitDeps {
  readonly models: Pick<PresentModels, 'extractor' | 'embeddings'>;
}

/**
 * Replaces the text of a unit. The event holds the entities and the vector of the new text, so that a replay asks no model.
 * @returns the position of the correction; null when the unit has that text already
 * @throws DomainError like `locateUnit`, `unit-changed` when the unit has another text than the expected one,
 * `agent-erased`; ModelError when the text could not be read or embedded
 */
export async function correctUnit(
  deps: CorrectUnitDeps,
  correction: RequestOf<typeof memoryIngest.correctUnit>,
  context: ModelContext,
): Promise<ReplyOf<typeof memoryIngest.correctUnit>> {
  const { correctionId, text, expectedText } = correction;
  const { ref, unit, readAt } = await locateUnit(deps, correction, context);
  const message = 'The service memory-query runs an older release: update it, then correct the memory unit again';
  if (!unit) throw new WireError({ status: 503, code: 'UNAVAILABLE', message });
  // Once, also when a conflict makes `execute` decide again.
  const correct = once(async () => {
    const found = await readText(deps.models, { ...unit, text, agentName: ref.agentId }, context.signal);
    return { ...ref, correctionId, text, eventDate: unit.eventDate, ...found };
  });
  const { text: storedText } = unit;
  const command = { type: 'CorrectUnit', correctionId, text, expectedText, storedText, correct } as const;
  const subject = memorySubjects.unit(ref, ref.unitId);
  const { signal } = context;
  const store = newestStore(deps.storeFor(ref, readAt));
  const executed = await execute(store, correctionDecider, subject, command, context, { signal });
  const isRecorded = executed.state.corrections.has(correctionId);
  const position = { stream: memoryStream.name, sequence: executed.revision };
  return { agentId: ref.agentId, position: isRecorded ? formatPosition(position) : null };
}

type FoundInText = Pick<
  MemoryEventOf<'UnitCorrected'>['data'],
  'entities' | 'vector' | 'embeddingModel' | 'extractor' | 'promptVersion'
>;

/** The entities of a text, by the rules for a new fact, and its vector. */
async function readText(
  { extractor, embeddings }: CorrectUnitDeps['models'],
  item: { text: string; eventDate: string; context: string | null; agentName: string },
  signal: AbortSignal,
): Promise<FoundInText> {
  const { text, ...about } = item;
  const [facts, [vector = '']] = await Promise.all([
    extractor.extract({ content: text, ...about }, signal),
    embedAll(embeddings, [{ text }], { signal, urgency: 'question' }),
  ]);
  const { name, promptVersion } = extractor;
  return {
    entities: distinct(facts.flatMap(({ entities }) => entities)),
    vector,
    embeddingModel: embeddings.name,
    extractor: name,
    ...(promptVersion !== undefined && { promptVersion }),
  };
}

function distinct(entities: readonly Entity[]): Entity[] {
  return [...new Map(entities.map((entity) => [`${entity.type} ${entity.name}`, entity])).values()];
}
