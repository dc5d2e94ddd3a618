// npm run bench -- retrieval [folder...] [plain] [notes] [--model <model>...] [--set <NAME=value>...] [--field <name=JSON>...]
//   [--half tune|report] [--limit-questions <n>] [--out <file>] [--dump <file>] [--keep <folder>] [--json]
// How much of the evidence of questions a search finds, beside BM25 on the same texts: on folders of histories, and on
// the built-in plain documents and notes. Each configuration gets a system of its own for each set.
import { basename } from 'node:path';
import { measureNotes } from './notes/measure-notes.ts';
import { readNoteCollections } from './notes/note-collections.ts';
import { type NotesReport, notesReport, notesTable } from './notes/notes-report.ts';
import { measurePlain } from './plain/measure-plain.ts';
import { type PlainReport, plainReport, plainTables } from './plain/plain-report.ts';
import { type PlainSet, readPlainSet } from './plain/plain-set.ts';
import { createRawLines } from './report/raw-lines.ts';
import { setReport } from './report/set-report.ts';
import { retrievalTables } from './report/tables.ts';
import { createDump } from './retrieval/dump.ts';
import { readHistories } from './retrieval/history.ts';
import { openKeptData } from './retrieval/kept-data.ts';
import { answerWithBaselines, measureSet, type QuestionSet, type SetRun } from './retrieval/measure-set.ts';
import { readOptions } from './retrieval/options.ts';
import { selectQuestions } from './retrieval/questions.ts';
import type { Asking } from './retrieval/search.ts';
import { currentCommit } from './system/commit.ts';
import { withMeasuredSystem } from './system/measured-system.ts';
import { describeMachine, machineLine } from './timing/machine.ts';

// npm runs this in the project's folder; INIT_CWD is where the person is.
const options = readOptions(process.argv.slice(2), process.env.INIT_CWD ?? '.', process.env.MNEME_URL);
const { configurations, selection, fields } = options;
const rawLines = await createRawLines(options.out);
const dump = options.dump === undefined ? undefined : await createDump(options.dump);
const plainSet = await readPlainSet();
const [machine, commit] = [describeMachine(), await currentCommit()];

// One after the other, so that only one system runs at a time.
const sets = [];
for (const folder of options.folders) sets.push(await measureFolder(folder));
const plain = options.builtIn.has('plain') ? await measurePlainSet(plainSet) : undefined;
const notes = options.builtIn.has('notes') ? await measureNoteCollections() : undefined;

if (options.json) {
  const builtIn = { plain: plain && Object.fromEntries(plain), notes: notes && Object.fromEntries(notes) };
  const report = { commit, machine, ...selection, sets, ...builtIn };
  console.log(JSON.stringify(report, null, 2));
} else {
  console.log(`commit ${commit}; ${machineLine(machine)}\n`);
  if (sets.length > 0) console.log(`${retrievalTables(sets)}\n`);
  if (plain) console.log(`${plainTables(plain)}\n`);
  if (notes) console.log(notesTable(notes));
}

async function measureFolder(folder: string) {
  const histories = await readHistories(folder);
  const { unanswerable } = plainSet;
  const set: QuestionSet = {
    name: basename(folder),
    histories,
    asked: selectQuestions(histories, selection),
    unanswerable,
  };
  const baselines = new Map(Object.entries(answerWithBaselines(set)));
  for (const [name, answers] of baselines) await rawLines.ofSet(set.name, name, answers);
  const runs = new Map<string, SetRun>();
  for (const { name, settings } of configurations) {
    console.error(`${set.name}: ${name}`);
    const afterwards = dump && ((asking: Asking) => dump.ofSet(set.name, name, set.asked, asking));
    const kept = options.keep === undefined ? undefined : await openKeptData(options.keep, set.name, name);
    const plan = { fields, afterwards, kept };
    const run = await withMeasuredSystem(settings, (system) => measureSet(system, set, plan), kept?.folder);
    await rawLines.ofSet(set.name, name, run.answers);
    runs.set(name, run);
  }
  return setReport(set, baselines, runs);
}

async function measurePlainSet(set: PlainSet) {
  const reports = new Map<string, PlainReport>();
  for (const { name, settings } of configurations) {
    console.error(`plain: ${name}`);
    const asking = { half: selection.half, fields };
    const run = await withMeasuredSystem(settings, ({ client }) => measurePlain(client, set, asking));
    await rawLines.ofPlain(name, run);
    reports.set(name, plainReport(run));
  }
  return reports;
}

async function measureNoteCollections() {
  const collections = await readNoteCollections();
  const reports = new Map<string, readonly NotesReport[]>();
  for (const { name, settings } of configurations) {
    console.error(`notes: ${name}`);
    const findings = await withMeasuredSystem(settings, ({ client }) => measureNotes(client, collections, fields));
    reports.set(name, notesReport(findings));
  }
  return reports;
}
