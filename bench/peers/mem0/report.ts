import type { Throughput } from '../../src/timing/in-flight.ts';
import { type Machine, machineLine } from '../../src/timing/machine.ts';
import { median } from '../../src/timing/samples.ts';
import type { MeasureOptions, Round } from './measure.ts';

/** The medians over all rounds. */
export interface Figures extends Round {
  readonly name: string;
}

export interface PeersReport extends MeasureOptions {
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
  readonly dimensions: number;
  readonly contenders: readonly Figures[];
}

export function figuresOf(name: string, rounds: readonly Round[]): Figures {
  const over = (part: (round: Round) => Throughput): Throughput => ({
    perSecond: median(rounds.map((round) => part(round).perSecond)),
    p50Ms: median(rounds.map((round) => part(round).p50Ms)),
    p95Ms: median(rounds.map((round) => part(round).p95Ms)),
    p99Ms: median(rounds.map((round) => part(round).p99Ms)),
  });
  return {
    name,
    addsOneByOne: over((round) => round.addsOneByOne),
    addsAtOnce: over((round) => round.addsAtOnce),
    searchesOneByOne: over((round) => round.searchesOneByOne),
    searchesAtOnce: over((round) => round.searchesAtOnce),
    found: median(rounds.map(({ found }) => found)),
  };
}

/** @param report whose first contender is the one that the others are compared with */
export function peersTable(report: PeersReport): string {
  const { contenders, concurrency, requests, rounds, dimensions } = report;
  const [own, ...others] = contenders;
  const versions = Object.entries(report.versions).map(([name, version]) => `${name} ${version}`);
  return [
    machineLine(report.machine),
    versions.join(', '),
    `${requests} adds and ${requests} searches of each kind, median of ${rounds} rounds, vectors of ${dimensions} numbers, models that answer at once`,
    '',
    `| | adds/s, 1 | adds/s, ${concurrency} | add p50 ms | search p50 ms | p95 ms | search p50 ms, ${concurrency} | p95 ms | found |`,
    '|---|---|---|---|---|---|---|---|---|',
    ...contenders.map(row),
    '',
    `| ${own?.name} beside | adds/s, 1 | adds/s, ${concurrency} | search p50 | search p50, ${concurrency} |`,
    '|---|---|---|---|---|',
    ...(own ? others.map((other) => ratioRow(own, other)) : []),
  ].join('\n');
}

function row({ name, addsOneByOne, addsAtOnce, searchesOneByOne, searchesAtOnce, found }: Figures): string {
  const cells = [
    ...[addsOneByOne.perSecond, addsAtOnce.perSecond, addsOneByOne.p50Ms],
    ...[searchesOneByOne.p50Ms, searchesOneByOne.p95Ms, searchesAtOnce.p50Ms, searchesAtOnce.p95Ms],
    found,
  ];
  return `| ${[name, ...cells.map((cell) => cell.toFixed(1))].join(' | ')} |`;
}

/** Above 1 is faster, for adds per second and for the time of a search alike. */
function ratioRow(own: Figures, other: Figures): string {
  const ratios = [
    own.addsOneByOne.perSecond / other.addsOneByOne.perSecond,
    own.addsAtOnce.perSecond / other.addsAtOnce.perSecond,
    other.searchesOneByOne.p50Ms / own.searchesOneByOne.p50Ms,
    other.searchesAtOnce.p50Ms / own.searchesAtOnce.p50Ms,
  ];
  return `| ${[other.name, ...ratios.map((ratio) => `${ratio.toFixed(1)} ×`)].join(' | ')} |`;
}
