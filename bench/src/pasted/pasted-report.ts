import { table } from '../report/tables.ts';
import { type Finding, properties } from './judge.ts';
import { parts } from './pasted-texts.ts';

export interface PastedRun {
  readonly reader: string;
  readonly findings: readonly Finding[];
}

/** How many of all things that are known about texts are right. */
export interface Count {
  readonly right: number;
  readonly all: number;
}

export function count(findings: readonly Finding[]): Count {
  return { right: findings.filter(({ isRight }) => isRight).length, all: findings.length };
}

export function pastedReport(runs: readonly PastedRun[]) {
  return parts.flatMap((part) =>
    runs.map(({ reader, findings }) => {
      const own = findings.filter(({ text }) => text.part === part);
      return { part, reader, byProperty: countBy(own, 'property'), byKind: countBy(own, 'kind') };
    }),
  );
}

function countBy(findings: readonly Finding[], what: 'property' | 'kind'): Readonly<Record<string, Count>> {
  const groups = Map.groupBy(findings, (finding) => (what === 'kind' ? finding.text.kind : finding.property));
  return Object.fromEntries([...groups].map(([name, own]) => [name, count(own)]));
}

/** The tables in Markdown: by property, then by kind of text. */
export function pastedTables(report: ReturnType<typeof pastedReport>): string {
  const byProperty = report.map(({ part, reader, byProperty }) => [
    part,
    reader,
    ...properties.map((property) => cell(byProperty[property])),
    cell(sum(Object.values(byProperty))),
  ]);
  const kinds = [...new Set(report.flatMap(({ byKind }) => Object.keys(byKind)))];
  const byKind = kinds.map((kind) => [kind, ...report.map((each) => cell(each.byKind[kind]))]);
  return [
    table(['texts', 'reader', ...properties, 'all'], byProperty),
    table(['kind', ...report.map(({ part, reader }) => `${part}, ${reader}`)], byKind),
  ].join('\n\n');
}

/** What is not right, by text. */
export function failureLines(findings: readonly Finding[]): string {
  const lines = findings
    .filter(({ isRight }) => !isRight)
    .map(({ text, property, about }) => `${text.part} ${text.name}: ${property}: ${about.replaceAll('\n', ' ⏎ ')}`);
  return lines.join('\n');
}

function sum(counts: readonly Count[]): Count {
  return counts.reduce((one, other) => ({ right: one.right + other.right, all: one.all + other.all }), {
    right: 0,
    all: 0,
  });
}

function cell(counted: Count | undefined): string {
  if (!counted) return '–';
  return `${counted.right} of ${counted.all} (${((100 * counted.right) / counted.all).toFixed(0)} %)`;
}
