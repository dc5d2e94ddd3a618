import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const noteSchema = z.object({
  text: z.string(),
  /** Questions that share words with the note. */
  usual: z.array(z.string()).min(1),
  /** Questions in other words. */
  other: z.array(z.string()).min(1),
});

const collectionsSchema = z.object({
  collections: z.array(
    z.object({
      name: z.string(),
      /** No two are about the same. */
      notes: z.array(noteSchema).min(1),
      /** Questions about what no note says. */
      unanswerable: z.array(z.string()).min(1),
    }),
  ),
});

export type NoteCollection = z.output<typeof collectionsSchema>['collections'][number];
export type Note = NoteCollection['notes'][number];

const file = join(import.meta.dirname, '../../data/notes.json');

export async function readNoteCollections(): Promise<readonly NoteCollection[]> {
  return collectionsSchema.parse(JSON.parse(await readFile(file, 'utf8'))).collections;
}
