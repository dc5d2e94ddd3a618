import {
  type AgentRef,
  type MemoryEvent,
  maxOpinionSteps,
  maxStepFacts,
  memorySubjects,
  type OpinionHistory,
  type OpinionHistoryStep,
} from '@mneme/contracts';
import { type EventStore, newestStore, type Recorded } from '@mneme/event-store';
import { DomainError } from '../errors.ts';
import { unitId } from '../read-model/row-ids.ts';
import { factsOfAnswer, type GetUnit, type GetUnitDeps, readUnit, textsOf } from '../units/get-unit.ts';
import type { UnitChange } from '../units/unit-history.ts';
import { type Creation, creationOf, sourceEvent } from '../units/unit-origin.ts';

export interface GetOpinionHistory extends GetUnit {
  readonly agentId?: string | undefined;
}

type Step = Omit<OpinionHistoryStep, 'facts'> & { readonly factIds: readonly string[] };

/** The newest changes of an opinion, the oldest first, and how many were left out. */
interface Changes {
  readonly changes: readonly UnitChange[];
  readonly leftOut: number;
}

/**
 * How the text and the confidence of an opinion changed, when, and why, from the log. The rows are read when they contain
 * all changes that the log has.
 * @throws DomainError `opinion-not-found` when the agent has no such opinion; otherwise like `getUnit`
 */
export async function opinionHistory(deps: GetUnitDeps, query: GetOpinionHistory): Promise<OpinionHistory> {
  const { reads } = deps;
  const store = newestStore(deps.store);
  const { space, minSequence = 0 } = query;
  const found = await readUnit(await reads.ofSpace(space, query.minSequence), query);
  const { state, revision } = await readChanges(store, found, found._id);
  const readable = await reads.ofKey(space, found.agentKey, Math.max(revision, minSequence));
  const unit = await readUnit(readable, query);
  if (unit.factType !== 'opinion' || (query.agentId !== undefined && unit.agentId !== query.agentId)) {
    throw new DomainError('opinion-not-found');
  }
  const creation = creationOf(unit, await deps.messageAt(unit.sequence));
  const steps = stepsOf(creation, state, await factsOfAnswer(store, creation));
  const shown = steps.slice(-maxOpinionSteps);
  const texts = await textsOf(
    readable,
    shown.flatMap(({ factIds }) => factIds),
  );
  return {
    unit_id: unit._id,
    agent_id: unit.agentId,
    text: unit.text,
    confidence: unit.confidence,
    steps: shown.map(({ factIds, ...step }) => {
      return { ...step, facts: factIds.map((id) => ({ id, text: texts.get(id) ?? null })) };
    }),
    has_more: state.leftOut > 0 || steps.length > shown.length,
  };
}

function readChanges(store: Pick<EventStore<MemoryEvent>, 'fold'>, agent: AgentRef, id: string) {
  const none: Changes = { changes: [], leftOut: 0 };
  return store.fold<Changes>(
    memorySubjects.unit(agent, id),
    (state, event) =>
      event.type === 'UnitCorrected' || event.type === 'OpinionRevised' ? withChange(state, event) : state,
    none,
  );
}

function withChange({ changes, leftOut }: Changes, event: UnitChange): Changes {
  const kept = [...changes, event].slice(-maxOpinionSteps);
  return { changes: kept, leftOut: leftOut + changes.length + 1 - kept.length };
}

function stepsOf(creation: Creation | undefined, { changes, leftOut }: Changes, basedOn: readonly string[]): Step[] {
  const steps: Step[] = [];
  if (creation && leftOut === 0) {
    const { event, text = null, confidence } = creation;
    steps.push({ ...timed(event), reason: 'formed', text, confidence, factIds: basedOn.slice(0, maxStepFacts) });
  }
  // A correction leaves the confidence as it was.
  let confidence = steps[0]?.confidence ?? null;
  for (const event of changes) {
    if (event.type === 'OpinionRevised') confidence = event.data.confidence;
    const reason = event.type === 'OpinionRevised' ? event.data.verdict : 'corrected';
    steps.push({ ...timed(event), reason, text: event.data.text, confidence, factIds: factsOf(event) });
  }
  return steps;
}

function timed(event: Recorded<MemoryEvent>) {
  return { time: event.time, event: sourceEvent(event) };
}

function factsOf(event: UnitChange): string[] {
  if (event.type !== 'OpinionRevised' || !event.data.facts) return [];
  const { operationId, indexes } = event.data.facts;
  return indexes.slice(0, maxStepFacts).map((index) => unitId(operationId, index));
}
