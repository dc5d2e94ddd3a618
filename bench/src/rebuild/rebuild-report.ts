import { type Machine, machineLine } from '../timing/machine.ts';
import { steadyTable } from '../timing/steady-table.ts';
import type { RebuildOptions, RebuildRun } from './measure-rebuild.ts';

export interface RebuildReport extends RebuildRun {
  readonly machine: Machine;
  readonly options: RebuildOptions;
}

export function rebuildTable({ machine, options, usual, beside, after, unitsPerSecond }: RebuildReport): string {
  const slower = beside.searches.p95Ms / Math.max(usual.searches.p95Ms, after.searches.p95Ms);
  return [
    machineLine(machine),
    `${options.units} units of ${options.agents} agents; each service in a process of its own`,
    '',
    ...steadyTable('20 searches/s and 5 batches/s', [
      ['search, usual', usual.searches],
      ['search, beside a rebuild', beside.searches],
      ['search, afterwards', after.searches],
      ['batch, usual', usual.batches],
      ['batch, beside a rebuild', beside.batches],
      ['batch, afterwards', after.batches],
    ]),
    '',
    `p95 of searches beside a rebuild: ${slower.toFixed(2)} times the usual.`,
    `Rebuilt: ${unitsPerSecond.beside.toFixed(0)} units/s with that load, ${unitsPerSecond.alone.toFixed(0)} units/s alone.`,
  ].join('\n');
}
