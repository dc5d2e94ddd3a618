import { z } from 'zod';

/** The id of a record. */
export const id = z.int().min(1);

/** The user who makes the request. */
export const userId = id;

/** A repeated command does nothing twice. */
export const commandId = z.string();

/** A sequence of the JetStream stream of the service. */
export const sequence = z.int().min(0);

/** The read waits until the read model has applied this sequence, 5 s at most, then answers 503. */
export const minSequence = sequence.optional();

/** Up to which sequence of `MEMORY` the memories were read. Nothing is recorded of memories that were erased since. */
export const readAt = sequence;

/** The position of the event that a command appended last, such as `ACCESS:42`; null when there was nothing to do. */
export const position = z.string().nullable();

/** Which part of a list to return. */
export const page = { limit: z.int().min(1).max(1_000), offset: z.int().min(0) };

/** An agent, in a space. */
export const agentRef = { space: z.string(), agentId: z.string() };

/** Whose the thing has to be that a request names by its id alone. */
export const belonging = {
  /** The agent that the caller names, if any: for what belongs to another agent, 404 as if it did not exist. */
  agentId: z.string().optional(),
  /** Set for a caller that may access one agent only: 403 for what belongs to another agent. */
  onlyAgent: z.string().optional(),
};

/** The reply to a command: what it has made or changed, and where that is in the log. */
export function commandReply<T extends z.ZodType>(value: T) {
  return z.object({ value, position });
}
