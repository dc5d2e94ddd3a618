import { type Machine, machineLine } from '../timing/machine.ts';
import { steadyTable } from '../timing/steady-table.ts';
import type { NeighboursOptions, NeighboursRun } from './measure-neighbours.ts';

export interface NeighboursReport extends NeighboursRun {
  readonly machine: Machine;
  readonly options: NeighboursOptions;
}

export function neighboursTable(report: NeighboursReport): string {
  const { machine, options, usual, beside, after, appliedSeconds, restSeconds, units, memoryMb, longestStall } = report;
  const slower = (kind: 'searches' | 'batches') => (beside[kind].p95Ms / usual[kind].p95Ms).toFixed(1);
  return [
    machineLine(machine),
    `${options.agents} agents at once, each with a document of ${options.mebibytes} MiB in three versions; all services in one process`,
    '',
    ...steadyTable('another agent: 5 searches/s and 2 batches/s', [
      ['search, usual', usual.searches],
      ['search, beside the documents', beside.searches],
      ['search, afterwards', after.searches],
      ['batch, usual', usual.batches],
      ['batch, beside the documents', beside.batches],
      ['batch, afterwards', after.batches],
    ]),
    '',
    `p95 beside the documents: ${slower('searches')} times the usual of searches, ${slower('batches')} times of batches.`,
    `All versions were stored in ${appliedSeconds.toFixed(0)} s, ${((3 * units) / appliedSeconds).toFixed(0)} units/s; the last ones have ${units} units. ${describeRest(restSeconds)}`,
    `Memory: ${mb(memoryMb.before)} before, ${mb(memoryMb.after)} afterwards. The longest stall of the event loop: ${(longestStall * 1_000).toFixed(0)} ms.`,
  ].join('\n');
}

function describeRest(seconds: number | undefined): string {
  return seconds === undefined
    ? 'Vectors and removals were still under way half an hour later; what was measured afterwards was measured beside them.'
    : `Vectors and removals took ${seconds.toFixed(0)} s more.`;
}

function mb(value: number | undefined): string {
  return value === undefined ? 'unknown' : `${Math.round(value)} MB`;
}
