import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import type { AsyncDecider } from '@mneme/event-store';

/** The answer and the opinions that were formed with it; undefined as long as nothing is recorded. */
export type ThoughtState =
  | { readonly answer: string; readonly basedOn: readonly string[]; readonly newOpinions: readonly string[] }
  | undefined;

export interface RecordThought {
  readonly type: 'RecordThought';
  readonly answered: MemoryEventOf<'QuestionAnswered'>;
  /** Finds the opinions in the answer; called only for a thought that is not recorded yet. */
  readonly formOpinions: () => Promise<readonly MemoryEventOf<'OpinionsFormed'>[]>;
}

/** A thought is recorded once, with its opinions, and never changes. */
export const thoughtDecider: AsyncDecider<ThoughtState, RecordThought, MemoryEvent> = {
  initialState: undefined,
  decide: async ({ answered, formOpinions }, thought) => (thought ? [] : [answered, ...(await formOpinions())]),
  evolve: (thought, event) => {
    switch (event.type) {
      case 'QuestionAnswered':
        return { answer: event.data.answer, basedOn: event.data.basedOn, newOpinions: [] };
      case 'OpinionsFormed': {
        if (!thought) throw new Error('A thought has opinions and no answer');
        const texts = event.data.opinions.map(({ text }) => text);
        return { ...thought, newOpinions: [...thought.newOpinions, ...texts] };
      }
      default:
        throw new Error(`${event.type} does not belong to a thought`);
    }
  },
};
