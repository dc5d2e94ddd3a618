import { agentKeyOf } from '@mneme/contracts';
import type { Owner, StoredMessage } from '@mneme/event-store';

/** So much of an event is looked at for its space. */
const beginningBytes = 256;

/**
 * Whose batch it is: the space takes its turn, and in it the agent. The space stands at the beginning of the data, since
 * events are written in the order of their schemas; an event that begins otherwise is its agent's.
 */
export function batchOwner({ subject, data }: Pick<StoredMessage, 'subject' | 'data'>): Owner {
  const agent = agentKeyOf(subject) ?? '';
  const beginning = Buffer.from(data.subarray(0, beginningBytes)).toString('latin1');
  const space = /^\{"space":"([^"\\]{1,200})"/.exec(beginning)?.[1];
  return [space ?? agent, agent];
}
