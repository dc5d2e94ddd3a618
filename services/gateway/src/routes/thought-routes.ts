import { memoryIngest, memoryQuery, type memoryRoutes, type ThinkFactReply } from '@mneme/contracts';
import type { Handlers, RequestScope } from '../http/endpoints.ts';
import type { MemoryCalls } from './memory-requests.ts';

type ThoughtRoutes = Pick<typeof memoryRoutes, 'think' | 'addBackground'>;

export interface ThoughtDeps {
  readonly calls: MemoryCalls;
  /** How long a caller waits for what models do, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether what a caller makes the agent think is kept; one that may only read gets the answer all the same. */
  readonly mayStore: (scope: RequestScope) => boolean;
}

/** At least so much time is left for writing an answer down that took long to find, in milliseconds. */
const recordingMs = 10_000;

/** Thinking asks the service that remembers, and lets the service that decides record what came of it. */
export function thoughtHandlers({ calls, timeoutMs, mayStore }: ThoughtDeps): Handlers<ThoughtRoutes> {
  const { call, untilSeen } = calls;
  return {
    think: async ({ body }, scope) => {
      const deadline = Date.now() + timeoutMs;
      const ref = { space: scope.caller.space, agentId: body.agent_id };
      const asked = { query: body.query, context: body.context ?? null, thinkingBudget: body.thinking_budget };
      const question = { ...ref, ...asked, minSequence: scope.minSequence };
      const { text, basedOn, ...by } = await call(memoryQuery.think, question, scope, timeoutMs);
      if (!mayStore(scope)) return { body: { text, based_on: basedOn, new_opinions: [] } };
      const knownOpinions = basedOn.filter(({ type }) => type === 'opinion').map((fact) => fact.text);
      const thought = { ...ref, thoughtId: scope.commandId, query: body.query, answer: text, knownOpinions, ...by };
      const ids = basedOn.flatMap(({ id }) => id ?? []);
      const leftMs = Math.max(recordingMs, deadline - Date.now());
      const recorded = await call(memoryIngest.recordThought, { ...thought, basedOn: ids }, scope, leftMs);
      await untilSeen(recorded.position, scope);
      const facts = thoseOf(basedOn, recorded.basedOn);
      const reply = { text: recorded.answer, based_on: facts, new_opinions: recorded.newOpinions };
      return { body: reply, position: recorded.position };
    },
    addBackground: async ({ path, body }, scope) => {
      const request = {
        ...{ space: scope.caller.space, agentId: path.agent_id, mergeId: scope.commandId },
        ...{ content: body.content, updatePersonality: body.update_personality },
      };
      const merged = await call(memoryIngest.addBackground, request, scope, timeoutMs);
      await untilSeen(merged.position, scope);
      const personality = body.update_personality ? merged.personality : null;
      return { body: { background: merged.background, personality }, position: merged.position };
    },
  };
}

/** A request that was sent twice may have thought twice; what was recorded first counts, facts included. */
function thoseOf(facts: readonly ThinkFactReply[], ids: readonly string[]): ThinkFactReply[] {
  const recorded = new Set(ids);
  return facts.filter(({ id }) => id === null || recorded.has(id));
}
