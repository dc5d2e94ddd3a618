import { z } from 'zod';
import { defineEvent, type EventOf, eventCatalog } from './definition.ts';

const number = z.int().min(1);

/** What numbers are given out for, each kind with its own count. */
export const idKinds = ['space', 'project', 'key', 'webhook', 'table'] as const;
export type IdKind = (typeof idKinds)[number];

/** A number was given out; it is never given out again, whether or not something came to bear it. */
export const numberTaken = defineEvent({
  type: 'NumberTaken',
  version: 1,
  schema: z.object({ kind: z.enum(idKinds), number }),
});

/** A command was given the number of what it makes; the same command again finds that number. */
export const numberAssigned = defineEvent({
  type: 'NumberAssigned',
  version: 1,
  schema: z.object({ kind: z.enum(idKinds), number, commandId: z.string() }),
});

/** The events of numbers, in the log of whichever area. */
export const idEvents = eventCatalog([numberTaken, numberAssigned]);
export type IdEvent = EventOf<typeof idEvents>;
