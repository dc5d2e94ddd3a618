import { z } from 'zod';
import { defineEvent, type EventOf, eventCatalog } from './definition.ts';

const number = z.int().min(1);

/** The kinds of ids, each with a sequence of its own. */
export const idKinds = ['space', 'project', 'key', 'webhook', 'table'] as const;
export type IdKind = (typeof idKinds)[number];

/** An id was taken. It is never used again, even if nothing was created with it. */
export const numberTaken = defineEvent({
  type: 'NumberTaken',
  version: 1,
  schema: z.object({ kind: z.enum(idKinds), number }),
});

/** A command was assigned the id of what it creates; a repetition of the command finds the same id. */
export const numberAssigned = defineEvent({
  type: 'NumberAssigned',
  version: 1,
  schema: z.object({ kind: z.enum(idKinds), number, commandId: z.string() }),
});

/** The events of ids, in the log of any area. */
export const idEvents = eventCatalog([numberTaken, numberAssigned]);
export type IdEvent = EventOf<typeof idEvents>;
