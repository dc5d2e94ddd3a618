import type { MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import {
  onAgentCreated,
  onAgentErased,
  onBackgroundChanged,
  onPersonalityChanged,
  onQuestionAnswered,
} from '../agents/projection.ts';
import { onDocumentDeleted } from '../documents/projection.ts';
import {
  onBatchSubmitted,
  onFactsExtracted,
  onOperationCancelled,
  onOperationDismissed,
  onOperationFailed,
  onOperationRetried,
  onOperationStarted,
} from '../operations/projection.ts';
import { onOpinionRevised, onOpinionsFormed } from '../opinions/projection.ts';
import type { RecordedOf, WorkingSet } from '../read-model/working-set.ts';
import { onUnitCorrected, onUnitForgotten, onVectorsAdded } from '../units/projection.ts';

type Evolve<T extends MemoryEvent['type']> = (set: WorkingSet, event: RecordedOf<T>) => void;

const evolveBy: { readonly [T in MemoryEvent['type']]: Evolve<T> } = {
  AgentCreated: onAgentCreated,
  PersonalityChanged: onPersonalityChanged,
  BackgroundReplaced: onBackgroundChanged,
  BackgroundMerged: onBackgroundChanged,
  AgentErased: onAgentErased,
  BatchSubmitted: onBatchSubmitted,
  OperationStarted: onOperationStarted,
  FactsExtracted: onFactsExtracted,
  OperationFailed: onOperationFailed,
  OperationCancelled: onOperationCancelled,
  OperationDismissed: onOperationDismissed,
  OperationRetried: onOperationRetried,
  QuestionAnswered: onQuestionAnswered,
  OpinionsFormed: onOpinionsFormed,
  OpinionRevised: onOpinionRevised,
  UnitForgotten: onUnitForgotten,
  UnitCorrected: onUnitCorrected,
  DocumentDeleted: onDocumentDeleted,
  VectorsAdded: onVectorsAdded,
};

/** Applies one event to the rows. The same events in the same order always give the same rows. */
export function applyEvent(set: WorkingSet, event: Recorded<MemoryEvent>): void {
  // TypeScript does not relate the type of the event to the type of the function.
  const evolve = evolveBy[event.type] as (set: WorkingSet, event: Recorded<MemoryEvent>) => void;
  evolve(set, event);
}
