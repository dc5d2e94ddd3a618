import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const turnSchema = z.object({
  turn: z.string(),
  speaker: z.string(),
  text: z.string(),
  image_caption: z.string().nullish(),
});

const historySchema = z.object({
  conversation: z.string(),
  sessions: z.array(z.object({ session: z.number(), date: z.string(), turns: z.array(turnSchema) })).min(1),
  questions: z.array(
    z.object({
      question: z.string(),
      category: z.int().min(1).max(5),
      /** A finer category, where the set has one. */
      kind: z.string().nullish(),
      /** The turns that contain the answer. */
      evidence: z.array(z.string()).min(1),
    }),
  ),
});

/** Conversations, or documents as sessions of one turn, with questions about them. */
export type History = z.output<typeof historySchema>;
export type Session = History['sessions'][number];
export type Turn = Session['turns'][number];
export type Question = History['questions'][number];

/** The category of questions whose evidence is another speaker's; they are left out of the means. */
export const adversarial = 5;

/** The name of a question's category in tables. */
export function categoryOf({ category, kind }: Question): string {
  const names = ['multi-hop', 'temporal', 'open-domain or commonsense', 'single-hop', 'adversarial'];
  return kind ?? `${category} ${names[category - 1]}`;
}

/**
 * Reads the histories of a folder, one per `.json` file, in the order of the names.
 * @throws Error naming the file that is no history
 */
export async function readHistories(folder: string): Promise<History[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  if (names.length === 0) throw new Error(`There is no .json file in ${folder}`);
  return Promise.all(names.map((name) => readHistory(join(folder, name))));
}

async function readHistory(file: string): Promise<History> {
  const parsed = historySchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(`${file} is no history: ${z.prettifyError(parsed.error)}`);
}

/** What is stored of a turn. */
export function turnContent({ speaker, text, image_caption: caption }: Turn): string {
  return `${speaker}: ${text}${caption ? ` [shared image: ${caption}]` : ''}`;
}

/** The day on which the questions are asked: the one after the last session, as `YYYY-MM-DD`. */
export function questionDay({ sessions }: History): string {
  const last = Math.max(...sessions.map(({ date }) => Date.parse(date)));
  return new Date(last + 86_400_000).toISOString().slice(0, 10);
}
