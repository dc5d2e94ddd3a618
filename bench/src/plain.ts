// npm run bench -- plain [--json]
// How well sentences of short documents (notes, reports, instructions) are found by questions in other words,
// and how much junk comes for questions that nothing answers.
import { parseArgs } from 'node:util';
import { measurePlain } from './plain/measure-plain.ts';
import { plainReport, plainTable } from './plain/plain-report.ts';
import { readPlainSet } from './plain/plain-set.ts';
import { withMeasuredSystem } from './system/measured-system.ts';

const { values: options } = parseArgs({ options: { json: { type: 'boolean', default: false } } });

const set = await readPlainSet();
const report = plainReport(await withMeasuredSystem((client) => measurePlain(client, set)));
console.log(options.json ? JSON.stringify(report, null, 2) : plainTable(report));
