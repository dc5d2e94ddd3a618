import { type Agent, isWorthRepeating, Mneme } from '@mneme/client';
import { type Fault, type FormatName, type Found, importDocuments, readSource, type Summary } from '@mneme/import';
import { messageOf } from '@mneme/service-kit';
import { InvalidArgumentError } from 'commander';
import { createProgressBar } from '../progress-bar.ts';
import { type FoundSources, findSources } from './sources.ts';

export interface ImportOptions {
  readonly agent: string;
  readonly space?: number;
  /** Else MNEME_URL, else that of a local start. */
  readonly url?: string;
  /** Else MNEME_API_KEY. */
  readonly key?: string;
  readonly format?: FormatName;
  readonly dryRun?: boolean;
}

/** How often a request is repeated: for about two minutes, in which a server can be started again. */
const retries = 20;
/** The most faults that are printed. */
const maxShownFaults = 100;
/** As a shell reports a program that Ctrl-C has ended. */
const interruptedCode = 130;
/** Removes the progress from the line of a terminal. */
const clearLine = '\r\u001b[K';

/** Imports files into the memory of an agent. What was imported before is not imported again. */
export async function importCommand(paths: readonly string[], options: ImportOptions): Promise<void> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const agent = options.dryRun ? undefined : await connect(options, interruption.signal);
    const found = await findSources(paths, process.env.INIT_CWD ?? '.');
    const summary = await run(found, options, { agent, signal: interruption.signal });
    process.stdout.write(`${describeSummary(summary, { isDryRun: !agent, passedOver: found.passedOver })}\n`);
    if (summary.faults > 0) process.exitCode = 1;
  } catch (error) {
    const isInterrupted = interruption.signal.aborted;
    const reason = isInterrupted ? 'interrupted.' : messageOf(error).replace(/(?<![.?!])$/, '.');
    const advice = isInterrupted || isWorthRepeating(error) ? ' Run the same command again to continue.' : '';
    process.stderr.write(`\nThe import ended early: ${reason}${advice}\n`);
    process.exitCode = isInterrupted ? interruptedCode : 1;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** @throws InvalidArgumentError for an id that cannot be part of a path: the agent could be neither read nor erased */
export function parseAgent(id: string): string {
  if (id !== '.' && id !== '..') return id;
  throw new InvalidArgumentError(`An agent cannot be called "${id}".`);
}

/** @throws MnemeError, which does not contain the key, if the system cannot be reached or used */
async function connect({ agent, space, ...options }: ImportOptions, signal: AbortSignal): Promise<Agent> {
  const { MNEME_URL, MNEME_API_KEY } = process.env;
  const baseUrl = options.url ?? (MNEME_URL || undefined);
  const apiKey = options.key ?? (MNEME_API_KEY || undefined);
  const system = { baseUrl, apiKey, spaceId: space };
  // A wrong address is told at once.
  const documents = new Mneme({ ...system, retries: 1 }).agent(agent).documents.list({ pageSize: 1, signal });
  for await (const _ of documents) break;
  return new Mneme({ ...system, retries }).agent(agent);
}

interface Running {
  readonly agent: Agent | undefined;
  readonly signal: AbortSignal;
}

async function run({ sources, faults }: FoundSources, { format }: ImportOptions, running: Running): Promise<Summary> {
  const total = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  const bar = createProgressBar(process.stdout, running.agent ? 'Importing' : 'Reading');
  let done = 0;
  const print = (stream: NodeJS.WriteStream, line: string) =>
    stream.write(`${process.stdout.isTTY ? clearLine : ''}${line}\n`);
  const readAll = async function* (): AsyncIterable<Found> {
    for (const fault of faults) yield { kind: 'fault', fault };
    for (const source of sources) {
      yield* readSource(source, {
        format,
        onFormat: (place, name) => {
          print(process.stdout, `${place}: ${name}`);
          onDone(0);
        },
      });
    }
  };
  let shown = 0;
  const onFault = ({ place, reason }: Fault) => {
    shown += 1;
    if (shown <= maxShownFaults) print(process.stderr, `${place}: ${reason}`);
    if (shown === maxShownFaults + 1) print(process.stderr, 'There are more faults, which are only counted.');
  };
  const onDone = (bytes: number) => {
    done += bytes;
    // The last step is shown when everything is stored.
    bar(Math.min(done, total - 1), total);
  };
  const summary = await importDocuments(readAll(), { ...running, onFault, onDone });
  bar(total, total);
  return summary;
}

/** One line for people. */
export function describeSummary({ documents, ...summary }: Summary, { isDryRun, passedOver }: Counted): string {
  const { stored, replaced, unchanged, read } = documents;
  const counts = isDryRun
    ? [`${read} documents with ${summary.items} items would be stored, unless they are there already`]
    : [`${stored} documents stored`, `${replaced} replaced`, `${unchanged} unchanged`];
  if (summary.repeated > 0) counts.push(`${summary.repeated} repeated`);
  if (summary.leftOut > 0) counts.push(`${summary.leftOut} records left out`);
  if (passedOver > 0) counts.push(`${passedOver} files of other kinds passed over`);
  return `${counts.join(', ')}, ${summary.faults} faults.`;
}

interface Counted {
  readonly isDryRun: boolean;
  readonly passedOver: number;
}
