import { createHash } from 'node:crypto';
import { createRandom } from '../scoring/random.ts';
import { adversarial, type History, type Question } from './history.ts';

/** Parts of the questions: parameters are chosen with one half in view, and results reported on the other. */
export const halves = ['tune', 'report'] as const;
export type Half = (typeof halves)[number];

/** Which questions of a set are asked. */
export interface Selection {
  /** Undefined for both. */
  readonly half: Half | undefined;
  /** Of the whole set; undefined for all. */
  readonly limit: number | undefined;
}

/** A question, and the history that contains its evidence. */
export interface Asked {
  readonly history: History;
  readonly question: Question;
}

/** The half that a question belongs to. It depends on its text and the name of its history only. */
export function halfOf({ history, question }: Asked): Half {
  return halfOfText(history.conversation, question.question);
}

export function halfOfText(history: string, question: string): Half {
  return Number.parseInt(hashOf(history, question).slice(0, 8), 16) % 2 === 0 ? 'tune' : 'report';
}

/** The selected questions in their order. With a limit, those with the lowest hashes, which is a fixed random sample. */
export function selectQuestions(histories: readonly History[], { half, limit }: Selection): Asked[] {
  const all = histories.flatMap((history) => history.questions.map((question) => ({ history, question })));
  const ofHalf = all.filter((asked) => half === undefined || halfOf(asked) === half);
  if (limit === undefined) return ofHalf;
  const hashed = ofHalf.map((asked) => ({ asked, hash: hashOf(asked.history.conversation, asked.question.question) }));
  hashed.sort((left, right) => (left.hash < right.hash ? -1 : 1));
  const chosen = new Set(hashed.slice(0, limit).map(({ asked }) => asked));
  return ofHalf.filter((asked) => chosen.has(asked));
}

const foreignQuestions = 50;
const seed = 20_261_122;

/** A question that nothing in the history answers. */
export interface OffTopic {
  readonly history: History;
  readonly question: string;
}

/**
 * A sample of up to 50 questions of one history, each to be asked of another one in which none of its speakers speaks: a question
 * about somebody has answers wherever they speak. Roles such as `user` are no one in particular.
 */
export function questionsOfOthers(histories: readonly History[], asked: readonly Asked[]): OffTopic[] {
  const usual = asked.filter(({ question }) => question.category !== adversarial);
  const random = createRandom(seed);
  const sample: OffTopic[] = [];
  while (histories.length > 1 && usual.length > 0 && sample.length < foreignQuestions) {
    const [own] = usual.splice(random() % usual.length, 1);
    const others = histories.filter((history) => own && !haveSpeakerInCommon(history, own.history));
    const other = others[random() % others.length];
    if (own && other) sample.push({ history: other, question: own.question.question });
  }
  return sample;
}

const roles = new Set(['user', 'assistant', 'system', 'tool']);

function speakersOf({ sessions }: History): ReadonlySet<string> {
  return new Set(sessions.flatMap(({ turns }) => turns.map(({ speaker }) => speaker)));
}

function haveSpeakerInCommon(one: History, other: History): boolean {
  const speakers = speakersOf(other);
  return one === other || [...speakersOf(one)].some((speaker) => speakers.has(speaker) && !roles.has(speaker));
}

function hashOf(history: string, question: string): string {
  return createHash('sha256').update(`${history}\n${question}`).digest('hex');
}
