import { reference } from '../retrieval/baselines.ts';
import { adversarial, categoryOf } from '../retrieval/history.ts';
import type { Answer, QuestionSet, SetRun } from '../retrieval/measure-set.ts';
import type { Found } from '../retrieval/search.ts';
import { type Estimate, estimate } from '../scoring/bootstrap.ts';
import { type Measure, measures, type Scores, scoresOf } from '../scoring/scores.ts';
import type { SystemMemory } from '../system/process-use.ts';
import { type Latency, latencyOf } from '../timing/samples.ts';

export type Estimates = Readonly<Record<Measure, Estimate>>;

/** The means of a method over questions of a set, and how they differ from the reference baseline's. */
export interface MethodScores {
  readonly questions: number;
  readonly scores: Estimates;
  /** Undefined for the reference itself. */
  readonly difference: Estimates | undefined;
}

/** How many results questions without an answer got on average. */
export interface Junk {
  readonly questions: number;
  readonly results: number;
  /** Those that are not marked as of low relevance. */
  readonly relevantResults: number;
  readonly most: number;
}

export interface Cost {
  readonly turnsPerSecond: number;
  /** Undefined when nothing was asked. */
  readonly search: Latency | undefined;
  readonly memory: SystemMemory | undefined;
}

export interface MethodReport {
  readonly method: string;
  /** Without the adversarial questions. */
  readonly overall: MethodScores;
  readonly byCategory: Readonly<Record<string, MethodScores>>;
  /** Undefined for baselines. */
  readonly ofOthers: Junk | undefined;
  readonly offTopic: Junk | undefined;
  readonly cost: Cost | undefined;
}

export interface SetReport {
  readonly set: string;
  readonly histories: number;
  readonly turns: number;
  readonly methods: readonly MethodReport[];
}

/**
 * @param baselines the answers of each baseline, one for each question of the set
 * @param runs those of each configuration, with the questions in the same order
 */
export function setReport(
  { name, histories }: QuestionSet,
  baselines: ReadonlyMap<string, readonly Answer[]>,
  runs: ReadonlyMap<string, SetRun>,
): SetReport {
  const compared = baselines.get(reference) ?? [];
  const base = [...baselines].map(([method, answers]) => methodReport(method, answers, compared));
  const measured = [...runs].map(([method, run]) => ({
    ...methodReport(method, run.answers, compared),
    ofOthers: junkOf(run.ofOthers),
    offTopic: junkOf(run.offTopic),
    cost: costOf(run),
  }));
  const turns = histories.flatMap(({ sessions }) => sessions.flatMap((session) => session.turns)).length;
  return { set: name, histories: histories.length, turns, methods: [...base, ...measured] };
}

function methodReport(method: string, answers: readonly Answer[], compared: readonly Answer[]): MethodReport {
  const scored = answers.map((answer, index) => {
    const { evidence, category } = answer.question;
    const other = compared[index];
    const isCompared = other && method !== reference;
    return {
      isAdversarial: category === adversarial,
      category: categoryOf(answer.question),
      scores: scoresOf(answer.ranking, evidence),
      reference: isCompared ? scoresOf(other.ranking, evidence) : undefined,
    };
  });
  const categories = [...new Set(scored.map(({ category }) => category))].sort();
  return {
    method,
    overall: methodScores(scored.filter(({ isAdversarial }) => !isAdversarial)),
    byCategory: Object.fromEntries(
      categories.map((name) => [name, methodScores(scored.filter(({ category }) => category === name))]),
    ),
    ofOthers: undefined,
    offTopic: undefined,
    cost: undefined,
  };
}

function methodScores(scored: readonly { scores: Scores; reference: Scores | undefined }[]): MethodScores {
  const pairs = scored.flatMap(({ scores, reference: other }) => (other ? [{ scores, other }] : []));
  return {
    questions: scored.length,
    scores: estimates((measure) => scored.map(({ scores }) => scores[measure])),
    difference:
      pairs.length > 0
        ? estimates((measure) => pairs.map(({ scores, other }) => scores[measure] - other[measure]))
        : undefined,
  };
}

function estimates(valuesOf: (measure: Measure) => readonly number[]): Estimates {
  return Object.fromEntries(measures.map((measure) => [measure, estimate(valuesOf(measure))])) as Estimates;
}

function junkOf(found: readonly Found[]): Junk | undefined {
  if (found.length === 0) return undefined;
  const mean = (count: (each: Found) => number) => found.reduce((sum, each) => sum + count(each), 0) / found.length;
  return {
    questions: found.length,
    results: mean(({ results }) => results),
    relevantResults: mean(({ relevantResults }) => relevantResults),
    most: Math.max(...found.map(({ results }) => results)),
  };
}

function costOf({ turns, storeSeconds, answers, memory }: SetRun): Cost {
  const durations = answers.map(({ ranking }) => ranking.milliseconds);
  return {
    turnsPerSecond: turns / storeSeconds,
    search: durations.length > 0 ? latencyOf(durations) : undefined,
    memory,
  };
}
