import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const turnSchema = z.object({
  turn: z.string(),
  speaker: z.string(),
  text: z.string(),
  image_caption: z.string().nullish(),
});

const conversationSchema = z.object({
  conversation: z.string(),
  sessions: z.array(z.object({ session: z.number(), date: z.string(), turns: z.array(turnSchema) })).min(1),
  questions: z.array(
    z.object({
      question: z.string(),
      category: z.int().min(1).max(5),
      /** The turns that hold the answer. */
      evidence: z.array(z.string()).min(1),
    }),
  ),
});

export type Conversation = z.output<typeof conversationSchema>;
export type Turn = z.output<typeof turnSchema>;

/**
 * Reads the conversations of a folder, one per `.json` file, in the order of the names.
 * @throws Error naming the file that is no conversation
 */
export async function readConversations(folder: string): Promise<Conversation[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  if (names.length === 0) throw new Error(`There is no .json file in ${folder}`);
  return Promise.all(names.map((name) => readConversation(join(folder, name))));
}

async function readConversation(file: string): Promise<Conversation> {
  const parsed = conversationSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(`${file} is no conversation: ${z.prettifyError(parsed.error)}`);
}

/** What is stored of a turn. */
export function turnContent({ speaker, text, image_caption: caption }: Turn): string {
  return `${speaker}: ${text}${caption ? ` [shared image: ${caption}]` : ''}`;
}

/** The day on which the questions are asked: the one after the last session, as `YYYY-MM-DD`. */
export function questionDay({ sessions }: Conversation): string {
  const last = Math.max(...sessions.map(({ date }) => Date.parse(date)));
  return new Date(last + 86_400_000).toISOString().slice(0, 10);
}
