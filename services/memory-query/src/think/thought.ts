import type { SearchResult, ThinkFactReply } from '@mneme/contracts';
import type { AgentCharacter } from '@mneme/models';

/** An answer and what it came from. */
export interface Thought {
  readonly text: string;
  /** What the model was given: world, then agent, then opinion. */
  readonly basedOn: ThinkFactReply[];
  readonly agent: AgentCharacter;
  readonly thinker: string;
  readonly promptVersion: string;
}

/** As much of a search result as is told about a fact that an answer rests on. */
export function toThinkFact({ id, text, type, activation, context, event_date }: SearchResult): ThinkFactReply {
  return { id, text, type, activation, context, event_date };
}
