import type { MeasuredSystem } from '../system/measured-system.ts';
import type { SystemMemory } from '../system/process-use.ts';
import { type Baseline, baselineSearches, baselines, type ScoredRanking } from './baselines.ts';
import type { History } from './history.ts';
import type { KeptData } from './kept-data.ts';
import { type Asked, questionsOfOthers } from './questions.ts';
import { type Asking, type Found, type RequestFields, search } from './search.ts';
import { storeHistories } from './store.ts';

/** Histories, and the questions about them that are asked. */
export interface QuestionSet {
  readonly name: string;
  readonly histories: readonly History[];
  readonly asked: readonly Asked[];
  /** Questions that no history of any set answers. */
  readonly unanswerable: readonly string[];
}

/** A method's answer to one question. */
export interface Answer extends Asked {
  readonly ranking: ScoredRanking;
}

export interface SetRun {
  /** One for each question. */
  readonly answers: readonly (Answer & { readonly ranking: Found })[];
  /** What questions of other histories found, and questions that nothing in any set answers. */
  readonly ofOthers: readonly Found[];
  readonly offTopic: readonly Found[];
  readonly turns: number;
  readonly storeSeconds: number;
  readonly memory: SystemMemory | undefined;
}

/** How a set is asked, and what else is done with the system when all has been measured. */
export interface SetPlan {
  readonly fields: RequestFields;
  readonly afterwards?: ((asking: Asking) => Promise<void>) | undefined;
  /** What an earlier measurement has stored. */
  readonly kept?: KeptData | undefined;
}

/** Stores a set in the system and asks its questions one after the other. */
export async function measureSet(system: MeasuredSystem, set: QuestionSet, plan: SetPlan): Promise<SetRun> {
  const { client } = system;
  const { histories, asked } = set;
  // Agents of their own for every run, so that a system that contains an earlier run can be asked again.
  const known = plan.kept?.stored;
  const run = known?.run ?? Date.now().toString(36);
  const agentOf = ({ conversation }: History) => `${set.name}-${run}-${conversation}`;
  const startedAt = performance.now();
  if (!known) await storeHistories(client, histories, agentOf);
  const storeSeconds = known?.storeSeconds ?? (performance.now() - startedAt) / 1_000;
  if (!known) await plan.kept?.noteStored({ run, storeSeconds });
  const asking = { client, agentOf, fields: plan.fields };
  const answers: (Answer & { ranking: Found })[] = [];
  for (const { history, question } of asked) {
    answers.push({ history, question, ranking: await search(asking, history, question.question) });
  }
  const ofOthers: Found[] = [];
  for (const { history, question } of questionsOfOthers(histories, asked)) {
    ofOthers.push(await search(asking, history, question));
  }
  const offTopic: Found[] = [];
  for (const history of histories) {
    for (const question of set.unanswerable) offTopic.push(await search(asking, history, question));
  }
  const turns = histories.flatMap(({ sessions }) => sessions.flatMap((session) => session.turns)).length;
  const memory = await system.memory();
  await plan.afterwards?.(asking);
  return { answers, ofOthers, offTopic, turns, storeSeconds, memory };
}

/** Answers the questions of a set with each baseline, in this process. */
export function answerWithBaselines({ histories, asked }: QuestionSet): Record<Baseline, Answer[]> {
  const searches = new Map(histories.map((history) => [history, baselineSearches(history)]));
  const answersOf = (baseline: Baseline) =>
    asked.flatMap(({ history, question }) => {
      const ranking = searches.get(history)?.[baseline](question.question);
      return ranking ? [{ history, question, ranking }] : [];
    });
  return Object.fromEntries(baselines.map((name) => [name, answersOf(name)])) as Record<Baseline, Answer[]>;
}
