import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const plainSetSchema = z.object({
  documents: z.array(z.object({ id: z.string(), date: z.string(), text: z.string() })).min(1),
  questions: z
    .array(
      z.object({
        question: z.string(),
        /** As people ask, who know what the thing is called, or in words that its evidence hardly has. */
        wording: z.enum(['usual', 'other']),
        document: z.string(),
        /** The sentence of the document that answers it. */
        evidence: z.string(),
        /** A part of the evidence that stands nowhere else; a result that holds it has found the evidence. */
        key: z.string(),
      }),
    )
    .min(1),
  /** Questions about what no document says. */
  unanswerable: z.array(z.string()).min(1),
});

export type PlainSet = z.output<typeof plainSetSchema>;
export type PlainDocument = PlainSet['documents'][number];
export type PlainQuestion = PlainSet['questions'][number];

const file = join(import.meta.dirname, '../../data/plain.json');

/**
 * Reads the set of short documents.
 * @throws Error when a question's evidence is not in its document, or its key is in another sentence too
 */
export async function readPlainSet(): Promise<PlainSet> {
  const set = plainSetSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  for (const question of set.questions) checkEvidence(question, set.documents);
  return set;
}

function checkEvidence(
  { question, document, evidence, key }: PlainQuestion,
  documents: readonly PlainDocument[],
): void {
  const own = documents.find(({ id }) => id === document);
  if (!own?.text.includes(evidence)) throw new Error(`The evidence of "${question}" is not in its document`);
  const everything = documents.map(({ text }) => text).join('\n');
  const isUnique = everything.indexOf(key) === everything.lastIndexOf(key);
  if (!evidence.includes(key) || !isUnique) throw new Error(`The key of "${question}" does not tell its evidence`);
}
