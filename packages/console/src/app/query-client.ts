import { isWorthRepeating, MnemeError } from '@mneme/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isConnectionFault, setConnectionLost } from './connection.ts';
import { endActing } from './session/identity.ts';

const maxRetries = 3;
const firstRetryMs = 500;
/** The longest wait between two attempts; when the server asks for a longer one, the page shows why. */
const maxRetryMs = 5_000;

/** What every failed request means for the page; for those that are no query and no mutation. */
export function noteFault(error: unknown): void {
  if (isConnectionFault(error)) setConnectionLost(true);
  if (error instanceof MnemeError && error.code === 'SESSION_EXPIRED') endActing();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteFault, onSuccess: () => setConnectionLost(false) }),
  mutationCache: new MutationCache({ onError: noteFault }),
  defaultOptions: {
    queries: {
      // The browser's own opinion of the network says nothing about a server on this machine.
      networkMode: 'always',
      staleTime: 5_000,
      retry: (failures, error) => failures < maxRetries && isWorthWaitingFor(error),
      retryDelay: (failures, error) =>
        Math.max(wantedDelayMs(error), Math.min(maxRetryMs, firstRetryMs * 2 ** failures)),
    },
    mutations: { networkMode: 'always' },
  },
});

function isWorthWaitingFor(error: Error): boolean {
  return isWorthRepeating(error) && !isConnectionFault(error) && wantedDelayMs(error) <= maxRetryMs;
}

function wantedDelayMs(error: Error): number {
  return error instanceof MnemeError ? (error.retryAfter ?? 0) * 1_000 : 0;
}
