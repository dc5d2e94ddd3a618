import { MnemeError } from '@mneme/client';
import { mneme } from '../../app/client.ts';
import { queryClient } from '../../app/query-client.ts';
import { guardCaller } from '../../app/session/identity.ts';
import { dropUnits } from '../../components/unit/queries.ts';
import { clearConversation } from '../think/conversation.ts';

/** How long to wait before it is continued, unless the server says, in seconds. */
const pauseSeconds = 2;
/** How often an erasure is continued that takes longer than a request. */
const maxTries = 20;

/** Erases an agent from everywhere, for whom the page acts now. It is no fault if there is none. */
export async function eraseAgent(agentId: string): Promise<void> {
  const assertSameCaller = guardCaller();
  for (let tries = 1; ; tries += 1) {
    assertSameCaller();
    try {
      await mneme.agent(agentId).erase();
      return;
    } catch (error) {
      if (!(error instanceof MnemeError)) throw error;
      if (error.status === 404) return;
      if (tries === maxTries || (error.status !== 503 && error.status !== 504)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000 * (error.retryAfter ?? pauseSeconds)));
    }
  }
}

/** Forgets what was read of an agent that was erased, also for another one of its name, and reads again what is on the screen. */
export async function forgetAgent(agentId: string): Promise<void> {
  clearConversation(agentId);
  dropUnits(queryClient);
  await queryClient.invalidateQueries();
}
