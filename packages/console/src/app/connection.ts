import { MnemeError } from '@mneme/client';
import { useSyncExternalStore } from 'react';

/** Whether the server answered the last request that was made. */
let isLost = false;
const listeners = new Set<() => void>();

export function setConnectionLost(lost: boolean): void {
  if (lost === isLost) return;
  isLost = lost;
  for (const listener of listeners) listener();
}

export function useConnectionLost(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isLost,
  );
}

/** Whether an error means that the server is out of reach, itself or behind its gateway. */
export function isConnectionFault(error: unknown): boolean {
  return error instanceof MnemeError && (error.code === 'NETWORK_ERROR' || error.status === 502);
}
