import { reference, tokenBudget } from '../retrieval/baselines.ts';
import type { Estimate } from '../scoring/bootstrap.ts';
import { measures } from '../scoring/scores.ts';
import type { Estimates, Junk, MethodReport, SetReport } from './set-report.ts';

const measureNames = ['R@5', 'R@10', 'R@20', 'MRR', `R@${tokenBudget}t`];

/** The tables of all sets, in Markdown. */
export function retrievalTables(sets: readonly SetReport[]): string {
  return [overallTable(sets), categoryTable(sets), junkTable(sets), costTable(sets)].join('\n\n');
}

function overallTable(sets: readonly SetReport[]): string {
  const rows = sets.flatMap(({ set, methods }) =>
    methods.flatMap(({ method, overall: { questions, scores, difference }, cost }) => [
      [set, method, String(questions), ...estimateCells(scores, percent)],
      // Baselines are not compared with each other.
      ...(difference && cost ? [[set, `${method} − ${reference}`, '', ...estimateCells(difference, signed)]] : []),
    ]),
  );
  return table(['set', 'method', 'questions', ...measureNames], rows);
}

function categoryTable(sets: readonly SetReport[]): string {
  const rows = sets
    .filter(({ methods: [first] }) => Object.keys(first?.byCategory ?? {}).length > 1)
    .flatMap(({ set, methods }) =>
      Object.keys(methods[0]?.byCategory ?? {}).flatMap((category) =>
        methods.flatMap((method) => categoryRow(set, category, method)),
      ),
    );
  return table(['set', 'category', 'method', 'questions', ...measureNames], rows);
}

function categoryRow(set: string, category: string, { method, byCategory, cost }: MethodReport): string[][] {
  const scores = byCategory[category];
  if (!scores || (method !== reference && !cost)) return [];
  return [[set, category, method, String(scores.questions), ...estimateCells(scores.scores, percent)]];
}

function junkTable(sets: readonly SetReport[]): string {
  const rows = sets.flatMap(({ set, methods }) =>
    methods.flatMap(({ method, ofOthers, offTopic }) => [
      ...(ofOthers ? [[set, method, 'of other histories', ...junkCells(ofOthers)]] : []),
      ...(offTopic ? [[set, method, 'of no set', ...junkCells(offTopic)]] : []),
    ]),
  );
  return table(['set', 'method', 'off-topic questions', 'asked', 'results', 'not of low relevance', 'most'], rows);
}

function junkCells({ questions, results, relevantResults, most }: Junk): string[] {
  return [String(questions), results.toFixed(1), relevantResults.toFixed(1), String(most)];
}

function costTable(sets: readonly SetReport[]): string {
  const rows = sets.flatMap(({ set, turns, methods }) =>
    methods.flatMap(({ method, cost }) => {
      if (!cost) return [];
      const { turnsPerSecond, search, memory } = cost;
      const milliseconds = [search?.p50Ms, search?.p95Ms].map((value) => value?.toFixed(1) ?? '–');
      const megabytes = [memory?.servicesMb, memory?.serversMb].map((value) => value?.toFixed(0) ?? '–');
      return [[set, method, String(turns), turnsPerSecond.toFixed(0), ...milliseconds, ...megabytes]];
    }),
  );
  const heads = ['turns', 'stored per second', 'search p50 ms', 'p95 ms', 'services MB', 'servers MB'];
  return table(['set', 'method', ...heads], rows);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function estimateCells(estimates: Estimates, format: (part: number) => string): string[] {
  return measures.map((measure) => estimateCell(estimates[measure], format));
}

export function estimateCell({ mean, low, high }: Estimate, format: (part: number) => string): string {
  return `${format(mean)} (${format(low)} to ${format(high)})`;
}

export function percent(part: number): string {
  return (part * 100).toFixed(1);
}

function signed(part: number): string {
  return part > 0 ? `+${percent(part)}` : percent(part);
}
