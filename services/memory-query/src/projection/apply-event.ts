import { agentKey, type MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { createAgent, eraseAgent, replaceBackground, replacePersonality, touchAgent } from '../agents/projection.ts';
import { deleteDocument } from '../documents/projection.ts';
import {
  cancelOperation,
  dismissOperation,
  failOperation,
  retryOperation,
  startOperation,
  submitBatch,
} from '../operations/projection.ts';
import { reviseOpinion, storeOpinions } from '../opinions/projection.ts';
import type { WorkingSet } from '../read-model/working-set.ts';
import { forgetUnit, storeFacts } from '../units/projection.ts';

/** Applies one event to the rows. The same events in the same order always give the same rows. */
export function fold(set: WorkingSet, event: Recorded<MemoryEvent>): void {
  switch (event.type) {
    case 'BatchSubmitted':
      touchAgent(set, event);
      submitBatch(set, event);
      break;
    case 'OperationStarted':
      startOperation(set, event);
      break;
    case 'FactsExtracted':
      storeFacts(set, event);
      break;
    case 'OperationFailed':
      failOperation(set, event);
      break;
    case 'OperationCancelled':
      cancelOperation(set, event);
      break;
    case 'OperationDismissed':
      dismissOperation(set, event);
      break;
    case 'OperationRetried':
      retryOperation(set, event);
      break;
    case 'AgentCreated':
      createAgent(set, event);
      break;
    case 'PersonalityChanged':
      replacePersonality(set, event);
      break;
    case 'BackgroundReplaced':
      replaceBackground(set, event);
      break;
    case 'BackgroundMerged':
      replaceBackground(set, event);
      break;
    case 'QuestionAnswered':
      touchAgent(set, event);
      break;
    case 'OpinionsFormed':
      storeOpinions(set, event);
      break;
    case 'OpinionRevised':
      reviseOpinion(set, event);
      break;
    case 'UnitForgotten':
      forgetUnit(set, event.data.unitId);
      break;
    case 'DocumentDeleted':
      deleteDocument(set, event, agentKey(event.data));
      break;
    case 'AgentErased':
      eraseAgent(set, event);
      break;
  }
}
