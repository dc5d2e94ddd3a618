import { MnemeError } from '@mneme/client';
import { mneme } from '../../app/client.ts';
import { guardCaller } from '../../app/session/identity.ts';

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
