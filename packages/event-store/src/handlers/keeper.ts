import type { PulledMessage } from './pulled-message.ts';

/** Tells the server of messages that are not settled yet, so that it hands them to nobody else meanwhile. */
export interface Keeper {
  /** @returns what ends it */
  keep(message: PulledMessage): () => void;
  stop(): void;
}

const heartbeatsPerAckWait = 3;

export function createKeeper(ackWaitMs: number): Keeper {
  const kept = new Set<PulledMessage>();
  const timer = setInterval(() => {
    try {
      for (const message of kept) message.working();
    } catch {
      // The connection is closed, so nobody is left to tell; the server will hand the messages to another instance.
      clearInterval(timer);
    }
  }, ackWaitMs / heartbeatsPerAckWait);
  return {
    keep: (message) => {
      kept.add(message);
      return () => void kept.delete(message);
    },
    stop: () => clearInterval(timer),
  };
}
