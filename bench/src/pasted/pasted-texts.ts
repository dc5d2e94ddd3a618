import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The extractor may be changed with the one half in view; the other one tells whether a change holds for other texts. */
export const parts = ['seen', 'kept-aside'] as const;

const statementSchema = z.strictObject({
  /** Is in the text once, and in no other statement. */
  says: z.string().min(1),
  /** Null: nobody, or the agent. Left out: not checked. */
  speaker: z.string().nullable().optional(),
  /** The day it happened, where the text tells. */
  date: z.iso.date().optional(),
  /** Whose it is: an experience or an opinion of the agent, or anything else. */
  kind: z.enum(['world', 'experience', 'opinion']).optional(),
});

const textSchema = z
  .strictObject({
    name: z.string(),
    /** Of text: an export of a certain program, minutes, an invoice. */
    kind: z.string(),
    part: z.enum(parts),
    role: z.enum(['user', 'assistant', 'system', 'tool']).optional(),
    /** The agent's id. */
    agent: z.string().optional(),
    lines: z.array(z.string()).min(1),
    statements: z.array(statementSchema).min(1),
    not: z.strictObject({
      /** Words before a colon, and the like, that are no speakers. */
      speakers: z.array(z.string()).default([]),
      /** Pieces of the text that are no opinions of the agent. */
      opinions: z.array(z.string()).default([]),
    }),
  })
  .refine(({ lines, statements }) => statements.every(({ says }) => countOf(says, lines) === 1), {
    error: ({ input }) => `a statement is not exactly once in ${(input as { name: string }).name}`,
  })
  .refine(({ lines, not }) => not.opinions.every((says) => countOf(says, lines) === 1), {
    error: ({ input }) => `what is no opinion is not exactly once in ${(input as { name: string }).name}`,
  });

const corpusSchema = z.strictObject({
  /** The date of all items. */
  storedAt: z.iso.datetime(),
  texts: z
    .array(textSchema)
    .refine((texts) => new Set(texts.map(({ name }) => name)).size === texts.length, 'two texts have the same name'),
});

export type PastedText = z.output<typeof textSchema>;
export type PastedStatement = z.output<typeof statementSchema>;
export type PastedCorpus = z.output<typeof corpusSchema>;

const file = join(import.meta.dirname, '../../data/pasted.json');

/** @throws ZodError where the data are not in this form */
export async function readPastedCorpus(): Promise<PastedCorpus> {
  return corpusSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}

/** With one blank between words, and without the marks of quoted lines, which a fact may leave out. */
export function flat(text: string): string {
  return text
    .replace(/^[> ]+/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function countOf(says: string, lines: readonly string[]): number {
  return flat(lines.join('\n')).split(says).length - 1;
}
