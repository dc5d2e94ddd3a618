// npm run bench -- plain [folder] [--json]
// How well sentences of short documents (notes, reports, instructions) are found by questions in other words,
// and how much junk comes for questions that nothing answers, alone and beside other agents: those of a folder of
// conversations, which are asked too, or one with generated sentences.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measurePlain } from './plain/measure-plain.ts';
import { conversing, talkativeAgent } from './plain/other-agents.ts';
import { plainReport, plainTable } from './plain/plain-report.ts';
import { readPlainSet } from './plain/plain-set.ts';
import { readConversations } from './recall/conversation.ts';
import { withMeasuredSystem } from './system/measured-system.ts';

const { values: options, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [folder] = positionals;
// npm runs this in the project's folder; INIT_CWD is where the person is.
const others = folder
  ? conversing(await readConversations(resolve(process.env.INIT_CWD ?? '.', folder)))
  : talkativeAgent;

const set = await readPlainSet();
const report = plainReport(await withMeasuredSystem((client) => measurePlain(client, set, others)));
console.log(options.json ? JSON.stringify(report, null, 2) : plainTable(report));
