import { type Machine, machineLine } from './machine.ts';
import type { LatencyRun } from './measure-latency.ts';

/** The one process of all services, without the three servers. */
export interface StartFigures {
  readonly readyMs: number;
  /** After some seconds without a request; undefined where it cannot be read. */
  readonly idleMb: number | undefined;
}

export interface LatencyReport extends LatencyRun {
  readonly machine: Machine;
  /** With an empty data folder, and again with everything that was stored. */
  readonly cold: StartFigures;
  readonly warm: StartFigures;
  /** After the load and the measurements. */
  readonly usedMb: number | undefined;
}

export function latencyTable(report: LatencyReport): string {
  return [
    machineLine(report.machine),
    '',
    '| request | p50 ms | p95 ms | floor | p50 ms | p95 ms | p50 ratio |',
    '|---|---|---|---|---|---|---|',
    ...report.comparisons.map(({ name, measured, floorName, floor }) => {
      const cells = [name, ms(measured.p50Ms), ms(measured.p95Ms), floorName, ms(floor.p50Ms), ms(floor.p95Ms)];
      return `| ${cells.join(' | ')} | ${(measured.p50Ms / floor.p50Ms).toFixed(2)} |`;
    }),
    '',
    '| start | ready after | idle memory |',
    '|---|---|---|',
    `| empty | ${(report.cold.readyMs / 1_000).toFixed(1)} s | ${mb(report.cold.idleMb)} |`,
    `| with everything that was stored | ${(report.warm.readyMs / 1_000).toFixed(1)} s | ${mb(report.warm.idleMb)} |`,
    '',
    '| units of the agent | stored in | search p50 ms | search p95 ms | p95 to p50 | memory of the services |',
    '|---|---|---|---|---|---|',
    ...report.sizes.map(({ units, loadSeconds, search: { measured }, residentMb }) => {
      const stored = `${loadSeconds.toFixed(1)} s`;
      const spread = (measured.p95Ms / measured.p50Ms).toFixed(2);
      const cells = [units, stored, ms(measured.p50Ms), ms(measured.p95Ms), spread, mb(residentMb)];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
    `Memory after all requests, at rest: ${mb(report.usedMb)}`,
  ].join('\n');
}

function ms(value: number): string {
  return value.toFixed(2);
}

function mb(value: number | undefined): string {
  return value === undefined ? 'unknown' : `${Math.round(value)} MB`;
}
