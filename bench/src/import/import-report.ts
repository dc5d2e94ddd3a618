import { type Machine, machineLine } from '../timing/machine.ts';
import { steadyTable } from '../timing/steady-table.ts';
import type { ImportOptions, ImportRun } from './measure-import.ts';

export interface ImportReport extends ImportRun {
  readonly machine: Machine;
  readonly options: ImportOptions;
}

export function importTable({ machine, options, usual, beside, importSeconds }: ImportReport): string {
  const rate = options.items / importSeconds;
  return [
    machineLine(machine),
    `One agent imports ${options.items} items in batches of ${options.batch}; all services in one process`,
    '',
    ...steadyTable('others store single items', [
      ['same lane, usual', usual.sameLane],
      ['same lane, beside the import', beside.sameLane],
      ['other lane, usual', usual.otherLane],
      ['other lane, beside the import', beside.otherLane],
    ]),
    '',
    `The import took ${importSeconds.toFixed(0)} s, ${rate.toFixed(0)} items/s. The others went on for ${options.tail} s after it.`,
  ].join('\n');
}
