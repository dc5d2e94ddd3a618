import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ThinkReply } from '@mneme/contracts';
import { atFullLength } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

/** The set of `npm run bench -- retrieval plain`. */
interface Plain {
  readonly documents: readonly { readonly id: string; readonly date: string; readonly text: string }[];
  readonly questions: readonly {
    readonly question: string;
    readonly wording: 'usual' | 'other';
    /** Only the statement that answers the question has it. */
    readonly key: string;
  }[];
  readonly unanswerable: readonly string[];
}

const file = join(import.meta.dirname, '../../bench/data/plain.json');
const agent_id = 'plain';

let http: HttpClient;
let plain: Plain;
beforeAll(async () => {
  plain = JSON.parse(await readFile(file, 'utf8'));
  const system = await shareSystem({ EMBEDDING_MODEL: 'builtin:minilm' });
  http = await system.ownSpace();
  for (const { id, date, text } of plain.documents) {
    const items = [{ content: text, event_date: date }];
    const { status } = await http.post('/api/memories/batch', { agent_id, document_id: id, items });
    expect(status).toBe(200);
  }
  return system.release;
});

async function answer(query: string): Promise<string> {
  return (await http.post<ThinkReply>('/api/think', { agent_id, query })).body.text;
}

/** Those whose answer holds the right statement, and those whose answer does not. */
async function asked(questions: Plain['questions']) {
  const answers = [];
  for (const each of questions) answers.push({ ...each, text: await answer(each.question) });
  return answers.map((each) => ({ ...each, isRight: each.text.toLowerCase().includes(each.key.toLowerCase()) }));
}

test.runIf(atFullLength)('questions in usual words are answered with the right statement', async () => {
  const usual = plain.questions.filter(({ wording }) => wording === 'usual').filter((_, index) => index % 2 === 1);
  const answers = await asked(usual);
  expect(answers).toHaveLength(30);
  const wrong = answers.filter(({ isRight }) => !isRight).map(({ question, text }) => ({ question, text }));
  expect(wrong.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(5);
});

test.runIf(atFullLength)('of questions in other words, half are answered, and no answer is long', async () => {
  const answers = await asked(plain.questions.filter(({ wording }) => wording === 'other'));
  expect(answers.filter(({ isRight }) => isRight).length).toBeGreaterThanOrEqual(13);
  expect(answers.every(({ text }) => (text.match(/"/g)?.length ?? 0) <= 6)).toBe(true);
});

test.runIf(atFullLength)('it does not know what no document says, or is not sure', async () => {
  const answers = [];
  for (const question of plain.unanswerable) answers.push({ question, text: await answer(question) });
  const claimed = answers.filter(({ text }) => !text.startsWith('I do not know'));
  expect(answers).toHaveLength(20);
  expect(claimed.length, JSON.stringify(claimed, null, 1)).toBeLessThanOrEqual(7);
  expect(claimed.every(({ text }) => text.startsWith('I am not sure'))).toBe(true);
});
