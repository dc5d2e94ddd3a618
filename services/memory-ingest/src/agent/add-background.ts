import type { AgentRef, MemoryEvent, Personality } from '@mneme/contracts';
import { agentKey, memorySubjects } from '@mneme/contracts';
import {
  ConflictError,
  type EventContext,
  type EventStore,
  formatPosition,
  type LoadedStream,
} from '@mneme/event-store';
import type { BackgroundWriter } from '@mneme/models';
import type { Logger } from '@mneme/service-kit';
import { goodToHave } from '../models/good-to-have.ts';
import type { Turns } from '../models/turns.ts';
import { type Agent, agentDecider } from './agent-decider.ts';

export interface BackgroundDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly writer: BackgroundWriter;
  /** Two merges of one agent at once would each lose the work of a model to the other. */
  readonly turns: Turns;
  readonly clock: () => Date;
  readonly logger: Logger;
}

export interface BackgroundAddition extends AgentRef {
  readonly content: string;
  readonly updatePersonality: boolean;
  /** Names the request; a second one of the same name changes nothing. */
  readonly mergeId: string;
}

export interface MergedBackground {
  readonly background: string;
  readonly personality: Personality;
  /** Null when nothing had to change. */
  readonly position: string | null;
}

type RequestContext = EventContext & { readonly deadline: number; readonly signal: AbortSignal };

/** How often a merge is done again when other instances changed the agent meanwhile. */
const maxAttempts = 5;

/**
 * Merges an addition into the background of an agent, so that additions at the same time all end up in it. When asked to,
 * infers the traits from the result; where that fails they stay as they were, and the merge holds.
 * @throws ModelError when the model cannot merge
 */
export function addBackground(
  deps: BackgroundDeps,
  addition: BackgroundAddition,
  context: RequestContext,
): Promise<MergedBackground> {
  return deps.turns.take(agentKey(addition), async () => {
    for (let attempt = 1; ; attempt += 1) {
      context.signal.throwIfAborted();
      try {
        return await mergeOnce(deps, addition, context);
      } catch (error) {
        if (!(error instanceof ConflictError) || attempt === maxAttempts) throw error;
      }
    }
  });
}

async function mergeOnce(
  deps: BackgroundDeps,
  addition: BackgroundAddition,
  context: RequestContext,
): Promise<MergedBackground> {
  const { store, writer } = deps;
  const { space, agentId, content, mergeId } = addition;
  const subject = memorySubjects.agent(addition);
  const loaded = await store.load(subject);
  const current = loaded.events.reduce(agentDecider.evolve, agentDecider.initialState);
  const earlier = earlierMerge(loaded, current, mergeId);
  if (earlier) return earlier;
  const background = await mergedText(writer, current.background, content, context.signal);
  const traits = addition.updatePersonality ? await inferredTraits(deps, background, context) : undefined;
  const by = { writer: writer.name, promptVersion: writer.promptVersion };
  const merge = { mergeId, addition: content, background, ...by };
  const command = { type: 'MergeBackground', agent: { space, agentId }, merge, traits } as const;
  const events = agentDecider.decide(command, current);
  const next = events.reduce(agentDecider.evolve, current);
  const position = events.length === 0 ? null : await store.append(subject, events, loaded.revision, context);
  return { ...profileOf(next), position: position && formatPosition(position) };
}

/** What an earlier run of the same request has done. */
function earlierMerge(
  { events }: LoadedStream<MemoryEvent>,
  current: Agent,
  mergeId: string,
): MergedBackground | undefined {
  const merged = events.find((event) => event.type === 'BackgroundMerged' && event.data.mergeId === mergeId);
  if (merged?.type !== 'BackgroundMerged') return undefined;
  const { background } = merged.data;
  return { background, personality: current.personality, position: formatPosition(merged.position) };
}

async function mergedText(writer: BackgroundWriter, current: string, addition: string, signal: AbortSignal) {
  return addition.trim() === '' ? current : await writer.merge({ current, addition }, signal);
}

function inferredTraits(deps: BackgroundDeps, background: string, context: RequestContext) {
  const what = 'traits of a personality';
  return goodToHave({ ...context, what }, deps, (signal) => deps.writer.inferTraits(background, signal));
}

function profileOf({ background, personality }: Agent): Pick<MergedBackground, 'background' | 'personality'> {
  return { background, personality };
}
