import { agentKeyOf, memoryEvents, memoryStream, WireError } from '@mneme/contracts';
import type { Owner, StoredMessage } from '@mneme/event-store';
import { retryAfterOf } from '@mneme/models';
import type { MemoryIngestDeps } from '../deps.ts';
import { spaceIn } from '../operation/fact-headers.ts';

export interface HandlerDeps extends MemoryIngestDeps {
  /** Called for each delivery of an event whose type only a newer release knows. */
  readonly onUnknownType?: ((type: string, handler: string) => void) | undefined;
}

/** What the handlers of this service have in common. */
export function handlerOptions({
  connection,
  logger,
  onUnknownType,
}: Pick<HandlerDeps, 'connection' | 'logger' | 'onUnknownType'>) {
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

/** How many bytes of an event are searched for its space. */
const spacePrefixBytes = 256;

/**
 * The owner of an event for fair queueing: spaces take turns, and within a space its agents. The space is in a header of facts,
 * or at the beginning of the data, because events are serialized in the order of their schemas; otherwise the agent stands
 * for it.
 */
export function eventOwner(message: Pick<StoredMessage, 'subject' | 'headers' | 'data'>): Owner {
  const { subject, data } = message;
  const agent = agentKeyOf(subject) ?? '';
  const named = spaceIn(message);
  if (named !== undefined) return [named, agent];
  const prefix = Buffer.from(data.subarray(0, spacePrefixBytes)).toString('latin1');
  const space = /^\{"space":"([^"\\]{1,200})"/.exec(prefix)?.[1];
  return [space ?? agent, agent];
}
