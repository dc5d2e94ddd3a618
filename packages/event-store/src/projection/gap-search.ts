import type { DomainEvent } from '@mneme/contracts';
import { headOf, nextSequence } from '../log/leader-read.ts';
import type { ProjectionRun } from './projection-run.ts';

/** While nobody waits, only every so many idle rounds look at the log. */
const quietRounds = 10;

/**
 * Makes the function to call when the feed has brought nothing for a while. It returns a sequence up to which there is
 * nothing to apply, so that the checkpoint can pass it: numbers whose events were erased, or that a filter leaves out.
 * When there is something after all that the feed does not bring, the feed is made to begin again.
 */
export function createGapSearch<E extends DomainEvent>(run: ProjectionRun<E>): () => Promise<number | undefined> {
  let rounds = 0;
  let missing: number | undefined;
  return async () => {
    rounds += 1;
    if (run.feed.hasEnded() || (!run.tracker.hasWaiters() && rounds % quietRounds !== 0)) return undefined;
    const position = run.tracker.position();
    const found = await look(run, position).catch(() => undefined);
    if (!found || found.next === undefined) {
      missing = undefined;
      return found?.emptyUpTo;
    }
    // Once may be bad luck with the moment of looking; twice the same means that the feed has gone deaf.
    if (missing === found.next) {
      run.options.logger.warn({ projection: run.name, sequence: found.next }, 'Reading the event log from anew');
      run.feed.seek(position);
    }
    missing = missing === found.next ? undefined : found.next;
    return undefined;
  };
}

interface Look {
  /** The first event that is to be applied. */
  readonly next: number | undefined;
  /** A sequence beyond the position with nothing to apply before it or at it. */
  readonly emptyUpTo: number | undefined;
}

async function look<E extends DomainEvent>(run: ProjectionRun<E>, position: number): Promise<Look> {
  // The head first: an event that comes in between the two questions lies beyond it.
  const head = await headOf(run.log);
  if (head <= position) return { next: undefined, emptyUpTo: undefined };
  const next = await nextSequence(run.log, run.filterSubject, position + 1);
  const isEmpty = next === undefined || next > head;
  return isEmpty ? { next: undefined, emptyUpTo: head } : { next, emptyUpTo: undefined };
}
