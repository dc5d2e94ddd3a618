import { z } from 'zod';
import { defineEvent, type EventOf, eventCatalog } from './definition.ts';

const number = z.int().min(1);

/** The kinds of ids, each with a sequence of its own. */
export const idKinds = ['space', 'project', 'key', 'webhook', 'table'] as const;
export type IdKind = (typeof idKinds)[number];

/** The events of ids, in the log of any area. */
export const idDefinitions = [
  /** An id was taken. It is never used again, even if nothing was created with it. */
  defineEvent('NumberTaken', { kind: z.enum(idKinds), number }),
  /** A command was assigned the id of what it creates; a repetition of the command finds the same id. */
  defineEvent('NumberAssigned', { kind: z.enum(idKinds), number, commandId: z.string() }),
] as const;
const idEvents = eventCatalog(idDefinitions);
export type IdEvent = EventOf<typeof idEvents>;
