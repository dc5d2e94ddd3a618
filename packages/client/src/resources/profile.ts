import type { Connection } from '../http/connection.ts';
import { type CommandOptions, onlyKnown, type ReadOptions, type RequestOptions } from '../http/request.ts';
import { given, type Personality } from '../schemas.ts';

export type Profile = ReturnType<typeof profileOf>;

/** Who an agent is. */
export function profileOf({ call }: Connection, agentId: string) {
  const path = { agent_id: agentId };
  return {
    /** Creates the agent with the defaults if there is none. */
    get: (options: ReadOptions = {}) => call('get', '/api/agents/{agent_id}/profile', { path }, options),
    /** Creates the agent, or replaces what is given and keeps the rest. */
    update: async (
      profile: { readonly personality?: Personality; readonly background?: string },
      options: RequestOptions = {},
    ) => {
      const body = onlyKnown('field of a profile', profile, { personality: true, background: true });
      return call('put', '/api/agents/{agent_id}', { path, body }, options);
    },
    /**
     * Merges a text into the background, and infers the personality from it unless `updatePersonality` is false. With
     * `preview` nothing is stored: `update` keeps the result.
     */
    addBackground: (
      content: string,
      {
        updatePersonality,
        preview,
        ...options
      }: CommandOptions & { readonly updatePersonality?: boolean; readonly preview?: boolean } = {},
    ) => {
      const body = given({ content, update_personality: updatePersonality, preview });
      return call('post', '/api/agents/{agent_id}/background', { path, body }, options);
    },
  };
}
