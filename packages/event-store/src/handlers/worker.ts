import { setTimeout as pause } from 'node:timers/promises';
import type { PulledMessage } from './pulled-message.ts';
import { type Puller, type PullerOptions, pauseAfterFailureMs, startPuller } from './puller.ts';

/**
 * Takes one message at a time and waits until it is dealt with before asking for the next one. Stopped, it ends the one in
 * work and gives back what has come.
 *
 * So no message ever grows old in the client while others are worked on, which is what makes the server send it twice.
 */
export function startWorker(options: PullerOptions, deliver: (message: PulledMessage) => Promise<void>): Puller {
  const { connection, logger } = options;
  let isStopping = false;
  let work: Promise<void> | undefined;
  const takeAfter = async (earlier: Promise<void> | undefined, message: PulledMessage) => {
    await earlier;
    try {
      if (!isStopping) await deliver(message);
      else if (!connection.isClosed()) message.nak();
    } catch (error) {
      logger.warn({ err: error, sequence: message.sequence }, 'Could not work on an event');
      await pause(pauseAfterFailureMs);
    }
  };
  const puller = startPuller(options, {
    room: () => (work ? 0 : 1),
    untilRoom: () => work ?? Promise.resolve(),
    accept: (message) => {
      const taken = takeAfter(work, message).finally(() => {
        if (work === taken) work = undefined;
      });
      work = taken;
    },
  });
  return {
    stop: async () => {
      isStopping = true;
      await puller.stop();
      await work;
    },
  };
}
