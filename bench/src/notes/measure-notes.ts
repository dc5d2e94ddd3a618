import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { RequestFields } from '../retrieval/search.ts';
import { createRandom } from '../scoring/random.ts';
import type { HttpClient } from '../system/http-client.ts';
import type { Note, NoteCollection } from './note-collections.ts';

const replySchema = z.object({ results: z.array(z.object({ context: z.string().nullable() })) });

/** How many notes the memories have that are made of each collection. */
const sizes = [
  ...Array<number>(12).fill(1),
  ...Array<number>(12).fill(3),
  ...Array<number>(8).fill(5),
  ...Array<number>(6).fill(10),
  ...Array<number>(4).fill(20),
  ...Array<number>(4).fill(40),
];
/** How many notes of a memory are asked for, and how many questions without an answer each memory gets. */
const mostAsked = 10;
const offTopicAsked = 8;
const seed = 20_261_130;

export type Wording = 'usual' | 'other' | 'off-topic';

export interface NoteFinding {
  readonly collection: string;
  readonly size: number;
  readonly wording: Wording;
  /** The place of the note among the results, from 1; undefined when it is none of them, or no note answers. */
  readonly rank: number | undefined;
  readonly results: number;
}

/** Small memories of notes about different things: each is stored in one batch for an agent of its own, and asked. */
export async function measureNotes(
  client: HttpClient,
  collections: readonly NoteCollection[],
  fields: RequestFields,
): Promise<readonly NoteFinding[]> {
  const random = createRandom(seed);
  const findings: NoteFinding[] = [];
  for (const collection of collections) {
    for (const size of sizes) {
      const notes = choose(collection.notes, size, random);
      const questions = questionsFor(notes, collection, random);
      const found = await measureMemory(client, { notes, questions, fields });
      findings.push(...found.map((each) => ({ collection: collection.name, size, ...each })));
    }
  }
  return findings;
}

interface Memory {
  readonly notes: readonly Note[];
  readonly questions: readonly NoteQuestion[];
  readonly fields: RequestFields;
}

async function measureMemory(client: HttpClient, { notes, questions, fields }: Memory) {
  const agentId = `notes-${randomUUID()}`;
  const items = notes.map(({ text }) => ({ content: text, context: text }));
  await client.post('/api/memories/batch', { agent_id: agentId, items });
  const findings = [];
  for (const { query, wording, note } of questions) {
    const reply = await client.post('/api/search', { agent_id: agentId, query, ...fields });
    const found = replySchema.parse(reply).results.map(({ context }) => context);
    const rank = note === undefined ? 0 : found.indexOf(note.text) + 1;
    findings.push({ wording, rank: rank || undefined, results: found.length });
  }
  return findings;
}

interface NoteQuestion {
  readonly query: string;
  readonly wording: Wording;
  /** The one that answers it. */
  readonly note?: Note;
}

function questionsFor(notes: readonly Note[], { unanswerable }: NoteCollection, random: () => number): NoteQuestion[] {
  const asked = notes
    .slice(0, mostAsked)
    .flatMap((note) => [
      ...note.usual.map((query) => ({ query, wording: 'usual' as const, note })),
      ...note.other.map((query) => ({ query, wording: 'other' as const, note })),
    ]);
  const others = choose(unanswerable, offTopicAsked, random);
  return [...asked, ...others.map((query) => ({ query, wording: 'off-topic' as const }))];
}

/** Some of the values, in random order (Fisher and Yates). */
function choose<T>(values: readonly T[], count: number, random: () => number): T[] {
  const left = [...values];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random() % left.length, 1)).flat();
}
