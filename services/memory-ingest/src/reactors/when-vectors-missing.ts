import {
  embeddedIn,
  type embeddedTypes,
  lacksVectors,
  type MemoryEvent,
  type MemoryEventOf,
  memorySubjects,
} from '@mneme/contracts';
import { areLate, embedAll, isReworded, type LogEmbeddings, vectorsDecider } from '@mneme/embedding-model';
import { causedBy, type EventStore, execute, type Recorded } from '@mneme/event-store';
import { type EmbeddingModel, ModelError } from '@mneme/models';
import { DomainError } from '../errors.ts';

export interface VectorDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly embeddings: Pick<LogEmbeddings, 'current' | 'next' | 'state'>;
  /** The most bytes that the data of one event may take. */
  readonly maxEventBytes: () => number;
  /** Whether nothing of the event will be there again, because its document was replaced or deleted. */
  readonly isSuperseded: (event: EmbeddedEvent) => Promise<boolean>;
}

/** An event with texts that are found by their vectors. */
export type EmbeddedEvent = Recorded<MemoryEventOf<(typeof embeddedTypes)[number]>>;

/**
 * Embeds facts that were stored before they were embedded, and appends the vectors, unless the facts are gone for good: a
 * large document that is replaced soon would otherwise have its former versions embedded for minutes. May be called again for
 * the same event: what was appended stays.
 * @throws ModelError when the model may work later
 */
export async function whenVectorsMissing(
  deps: VectorDeps,
  event: EmbeddedEvent,
  signal: AbortSignal,
): Promise<'idle' | undefined> {
  const own = event.data.embeddingModel;
  const names = lacksVectors(event) ? modelsOf(deps).filter((name) => name === own) : [];
  if (names.length === 0) return 'idle';
  if (!(await deps.isSuperseded(event))) await addAll(deps, event, names, signal);
  return undefined;
}

/**
 * While the memory is brought to another model, appends its vectors for what is still stored with the former one. May be
 * called again for the same event.
 * @throws ModelError when the model may work later
 */
export function whenModelChanges(deps: VectorDeps, event: EmbeddedEvent, signal: AbortSignal): Promise<void> {
  const state = deps.embeddings.state();
  const own = event.data.embeddingModel;
  const others = modelsOf(deps).filter((name) => name !== own && areLate(state, name, event.position.sequence));
  return addAll(deps, event, others, signal);
}

/** The model of the log and the next one. */
function modelsOf({ embeddings }: VectorDeps): readonly string[] {
  const { current, next } = embeddings.state();
  return [current, next].filter((name) => name !== undefined);
}

async function addAll(
  deps: VectorDeps,
  event: EmbeddedEvent,
  names: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { embeddings } = deps;
  const loaded = [embeddings.current(), embeddings.next()];
  for (const name of names) {
    const model = loaded.find((each) => each?.name === name);
    if (!model) throw new ModelError('unavailable', `The embedding model ${name} is not loaded yet`);
    await addVectors(deps, event, model, signal);
  }
}

async function addVectors(
  { store, maxEventBytes }: VectorDeps,
  event: EmbeddedEvent,
  model: EmbeddingModel,
  signal: AbortSignal,
): Promise<void> {
  const texts = embeddedIn(event)?.texts ?? [];
  const subject = memorySubjects.vectors(event.data, model.name, event.position.sequence);
  if (texts.length === 0 || (await isReworded(store, event))) return;
  const embed = () => embedAll(model, texts, { signal, urgency: 'background' });
  const models = { embeddingModel: model.name, embed };
  const command = { type: 'AddVectors', event, ...models, areLate: true, maxEventBytes: maxEventBytes() } as const;
  await execute(store, vectorsDecider, subject, command, causedBy(event), { history: 'none', signal }).catch(
    (error) => {
      // The agent was erased meanwhile.
      if (!(error instanceof DomainError)) throw error;
    },
  );
}
