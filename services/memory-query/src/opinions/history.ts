import {
  type MemoryEvent,
  maxOpinionSteps,
  maxStepFacts,
  type memoryQuery,
  type OpinionHistory,
  type OpinionHistoryStep,
  type RequestOf,
} from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { DomainError } from '../errors.ts';
import { unitId } from '../read-model/row-ids.ts';
import { factsOfAnswer, type GetUnitDeps, textsOf, unitAsOfLog } from '../units/get-unit.ts';
import type { ChangesFold, UnitChange } from '../units/unit-history.ts';
import { type Creation, creationOf, sourceEvent } from '../units/unit-origin.ts';

type Step = Omit<OpinionHistoryStep, 'facts'> & { readonly factIds: readonly string[] };

/** The newest changes of an opinion, the oldest first, and how many were left out. */
interface Changes {
  readonly kept: readonly UnitChange[];
  readonly leftOut: number;
}

const opinionChanges: ChangesFold<Changes> = {
  none: { kept: [], leftOut: 0 },
  add: (changes, event) => {
    const kept = [...changes.kept, event].slice(-maxOpinionSteps);
    return { kept, leftOut: changes.leftOut + changes.kept.length + 1 - kept.length };
  },
};

/**
 * How the text and the confidence of an opinion changed, when, and why, from the log.
 * @throws DomainError `opinion-not-found` when the agent has no such opinion; otherwise like `unitAsOfLog`
 */
export async function opinionHistory(
  deps: GetUnitDeps,
  query: RequestOf<typeof memoryQuery.opinionHistory>,
): Promise<OpinionHistory> {
  const { store, readable, unit, changes } = await unitAsOfLog(deps, query, opinionChanges);
  if (unit.factType !== 'opinion') throw new DomainError('opinion-not-found');
  const creation = creationOf(unit, await deps.messageAt(unit.sequence));
  const steps = stepsOf(creation, changes, await factsOfAnswer(store, creation));
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
    has_more: changes.leftOut > 0 || steps.length > shown.length,
  };
}

function stepsOf(creation: Creation | undefined, { kept, leftOut }: Changes, basedOn: readonly string[]): Step[] {
  const steps: Step[] = [];
  if (creation && leftOut === 0) {
    const { event, text = null, confidence } = creation;
    steps.push({ ...timed(event), reason: 'formed', text, confidence, factIds: basedOn.slice(0, maxStepFacts) });
  }
  // A correction leaves the confidence as it was.
  let confidence = steps[0]?.confidence ?? null;
  for (const event of kept) {
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
