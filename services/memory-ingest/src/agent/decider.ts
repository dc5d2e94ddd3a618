import {
  type AgentRef,
  defaultBackground,
  defaultPersonality,
  type MemoryEvent,
  type MemoryEventOf,
  type Personality,
} from '@mneme/contracts';
import type { Decider } from '@mneme/event-store';
import type { Traits } from '@mneme/models';
import { DomainError } from '../errors.ts';

export type AgentEvent = MemoryEventOf<
  'AgentCreated' | 'PersonalityChanged' | 'BackgroundReplaced' | 'BackgroundMerged'
>;

/** Who an agent is. */
export interface Agent {
  readonly exists: boolean;
  readonly personality: Personality;
  readonly background: string;
  /** Which merges made it, the last 1000 of them; undefined when there was none. */
  readonly mergeIds?: readonly string[];
}

/** The longest background, in bytes of UTF-8; what is merged has no other bound than this. */
export const maxBackgroundBytes = 64 * 1024;
/** A request that is sent again comes soon after the first, so that older ids are not needed. */
const maxMergeIds = 1_000;

/** Gives what is to be replaced; null keeps it. With both null the agent is only made to exist. */
export interface PutAgent {
  readonly type: 'PutAgent';
  readonly agent: AgentRef;
  readonly personality: Personality | null;
  readonly background: string | null;
}

/** Gives what a model has made of the background that the agent has. */
export interface MergeBackground {
  readonly type: 'MergeBackground';
  readonly agent: AgentRef;
  readonly merge: Omit<MemoryEventOf<'BackgroundMerged'>['data'], 'space' | 'agentId'>;
  /** What it tells about the personality; undefined keeps it. The bias strength is kept in any case. */
  readonly traits: Traits | undefined;
}

/** About how many bytes an agent takes in memory: two for each character, and some 100 for each id. */
export function agentBytes({ background, mergeIds = [] }: Agent): number {
  return background.length * 2 + mergeIds.length * 100;
}

export const agentDecider: Decider<Agent, PutAgent | MergeBackground, MemoryEvent> = {
  initialState: { exists: false, personality: defaultPersonality, background: defaultBackground },
  decide: (command, agent) => [...created(command.agent, agent), ...changed(command, agent)],
  evolve,
};

function created({ space, agentId }: AgentRef, { exists }: Agent): readonly AgentEvent[] {
  return exists ? [] : [{ type: 'AgentCreated', data: { space, agentId } }];
}

function changed(command: PutAgent | MergeBackground, current: Agent): readonly AgentEvent[] {
  const { space, agentId } = command.agent;
  const ref = { space, agentId };
  if (command.type === 'PutAgent') {
    const { personality, background } = command;
    const isKept = background === null || background === current.background;
    if (!isKept) assertNotTooLarge(background);
    const replaced: AgentEvent[] = isKept ? [] : [{ type: 'BackgroundReplaced', data: { ...ref, background } }];
    return [...personalityChanged(ref, personality, current), ...replaced];
  }
  const { merge, traits } = command;
  const isKept = merge.background === current.background;
  if (!isKept) assertNotTooLarge(merge.background);
  const merged: AgentEvent[] = isKept ? [] : [{ type: 'BackgroundMerged', data: { ...ref, ...merge } }];
  const { bias_strength } = current.personality;
  return [...merged, ...personalityChanged(ref, traits ? { ...traits, bias_strength } : null, current)];
}

function personalityChanged(
  ref: AgentRef,
  personality: Personality | null,
  current: Agent,
): readonly MemoryEventOf<'PersonalityChanged'>[] {
  if (personality === null || samePersonality(personality, current.personality)) return [];
  return [{ type: 'PersonalityChanged', data: { ...ref, personality } }];
}

function evolve(agent: Agent, event: MemoryEvent): Agent {
  switch (event.type) {
    case 'AgentCreated':
      return { ...agent, exists: true };
    case 'PersonalityChanged':
      return { ...agent, exists: true, personality: event.data.personality };
    case 'BackgroundMerged': {
      const { background, mergeId } = event.data;
      const mergeIds = [...(agent.mergeIds ?? []), mergeId].slice(-maxMergeIds);
      return { ...agent, exists: true, background, mergeIds };
    }
    case 'BackgroundReplaced':
      return { ...agent, exists: true, background: event.data.background };
    case 'AgentErased':
      return agentDecider.initialState;
    default:
      throw new Error(`${event.type} does not belong to an agent`);
  }
}

/** @throws DomainError `background-too-large` */
export function assertNotTooLarge(background: string): void {
  if (Buffer.byteLength(background) <= maxBackgroundBytes) return;
  const message = `The background would have more than ${maxBackgroundBytes} bytes; replace it by a shorter one first`;
  throw new DomainError('background-too-large', message);
}

function samePersonality(left: Personality, right: Personality): boolean {
  return (Object.keys(defaultPersonality) as (keyof Personality)[]).every((trait) => left[trait] === right[trait]);
}
