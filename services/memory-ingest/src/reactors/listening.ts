import { memoryEvents, memoryStream, WireError } from '@mneme/contracts';
import { retryAfterOf } from '@mneme/models';
import type { IngestDeps } from '../deps.ts';
import { eventOwner } from './event-owner.ts';

export interface ListeningDeps extends IngestDeps {
  /** Called for each delivery of an event whose type only a newer release knows. */
  readonly onUnknownType?: ((type: string, handler: string) => void) | undefined;
}

/** What the handlers of this service have in common. */
export function listening({
  connection,
  logger,
  onUnknownType,
}: Pick<ListeningDeps, 'connection' | 'logger' | 'onUnknownType'>) {
  return {
    connection,
    logger,
    onUnknownType,
    stream: memoryStream.name,
    catalog: memoryEvents,
    ownerOf: eventOwner,
    retryAfterMs: retryAfterOf,
  };
}

/** Whether another service, or the agent's read model, has to come back first: nothing is wrong with the event. */
export function isServiceAway(error: Error): boolean {
  return error instanceof WireError && error.status === 503;
}
