import { memoryIngest, memoryQuery, type memoryRoutes, type RequestOf, type ThinkFactReply } from '@mneme/contracts';
import { parsePosition } from '@mneme/event-store';
import { mayWrite } from '../auth/caller.ts';
import type { HttpEndpoints, RequestScope } from '../routing/http-endpoint.ts';
import type { MemoryServices } from './memory-services.ts';
import { filtersOf, parseQuestionDate } from './query-routes.ts';

export interface ThoughtDeps {
  readonly services: MemoryServices;
  /** How long a caller waits for models, in milliseconds. */
  readonly timeoutMs: number;
}

/** The least time for recording an answer that took long to find, in milliseconds. */
const recordingMs = 10_000;

/** How long to wait for which opinions were stored, in milliseconds, when the read model was waited for already. */
const storedTimeoutMs = 2_000;

/** `think` gets an answer from memory-query and lets memory-ingest record it. */
export function thoughtEndpoints({ services, timeoutMs }: ThoughtDeps) {
  const { send, read, untilSeen } = services;
  return {
    think: async ({ body }, scope) => {
      const deadline = performance.now() + timeoutMs;
      const ref = { space: scope.caller.space, agentId: body.agent_id };
      const asked = { query: body.query, context: body.context ?? null, thinkingBudget: body.thinking_budget };
      const filters = filtersOf(body);
      const questionDate = parseQuestionDate(body.question_date) ?? undefined;
      const question = { ...ref, ...asked, ...filters, questionDate };
      const { text, basedOn, ...by } = await read(memoryQuery.think, question, scope, timeoutMs);
      // A key that may only read gets the answer, but nothing is recorded.
      if (!body.store || !mayWrite(scope.caller)) return { body: { text, based_on: basedOn, new_opinions: [] } };
      const knownOpinions = basedOn.filter(({ type }) => type === 'opinion').map((fact) => fact.text);
      const thought = { ...ref, thoughtId: scope.commandId, query: body.query, answer: text, knownOpinions, ...by };
      const ids = basedOn.flatMap(({ id }) => id ?? []);
      const leftMs = Math.max(recordingMs, deadline - performance.now());
      const recorded = await send(memoryIngest.recordThought, { ...thought, basedOn: ids }, scope, leftMs);
      const isSeen = await untilSeen(recorded.position, scope);
      const facts = onlyRecorded(basedOn, recorded.basedOn);
      const formed = { ...ref, thoughtId: scope.commandId, texts: recorded.newOpinions };
      // What was waited for in vain is not waited for again.
      const newOpinions = isSeen ? await storedOpinions(services, formed, recorded.position, scope) : formed.texts;
      const reply = { text: recorded.answer, based_on: facts, new_opinions: newOpinions };
      return { body: reply, position: recorded.position };
    },
    addBackground: async ({ path, body }, scope) => {
      const request = {
        space: scope.caller.space,
        agentId: path.agent_id,
        mergeId: scope.commandId,
        content: body.content,
        updatePersonality: body.update_personality,
        ...(body.preview && { preview: true }),
      };
      const merged = await send(memoryIngest.addBackground, request, scope, timeoutMs);
      await untilSeen(merged.position, scope, { agentId: path.agent_id });
      const personality = body.update_personality ? merged.personality : null;
      return { body: { background: merged.background, personality }, position: merged.position };
    },
  } satisfies Partial<HttpEndpoints<typeof memoryRoutes>>;
}

/**
 * The opinions of a thought that were stored: those that repeat one which another thought was faster to store were not. While
 * the read model does not answer, all that are recorded.
 */
async function storedOpinions(
  { send }: MemoryServices,
  formed: RequestOf<typeof memoryQuery.storedOpinions>,
  position: string,
  scope: RequestScope,
): Promise<string[]> {
  const { texts: recorded } = formed;
  if (recorded.length === 0) return [];
  const request = { ...formed, minSequence: parsePosition(position)?.sequence };
  return send(memoryQuery.storedOpinions, request, scope, storedTimeoutMs).then(
    ({ texts }) => texts,
    () => recorded,
  );
}

/** A repeated request may think twice; the first recorded answer counts, with its facts. */
function onlyRecorded(facts: readonly ThinkFactReply[], ids: readonly string[]): ThinkFactReply[] {
  const recorded = new Set(ids);
  return facts.filter(({ id }) => id === null || recorded.has(id));
}
