// npm run bench -- pasted [--failures] [--json]
// What the rules for extraction make of pasted texts (exported chats, mails, minutes, invoices), beside a naive reader:
// who speaks, when it happened, and whether it is the agent's own. Needs no servers.
import { measurePasted } from './pasted/measure-pasted.ts';
import { failureLines, pastedReport, pastedTables } from './pasted/pasted-report.ts';
import { readPastedCorpus } from './pasted/pasted-texts.ts';
import { createRuleReader, readNaively } from './pasted/readers.ts';
import { currentCommit } from './system/commit.ts';
import { readOptions } from './system/options.ts';

const { failures, json } = readOptions({}, ['failures']);
const corpus = await readPastedCorpus();
const ofRules = await measurePasted(corpus, createRuleReader());
const runs = [
  { reader: 'naive', findings: await measurePasted(corpus, readNaively) },
  { reader: 'rules', findings: ofRules },
];
const report = pastedReport(runs);
const commit = await currentCommit();

if (json) console.log(JSON.stringify({ commit, report }, null, 2));
else console.log(`commit ${commit}\n\n${pastedTables(report)}`);
// Of the half that is kept aside they are not shown, since nobody could leave them out of mind afterwards.
if (failures && !json) console.log(`\n${failureLines(ofRules.filter(({ text }) => text.part === 'seen'))}`);
