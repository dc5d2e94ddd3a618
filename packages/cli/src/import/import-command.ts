import { type Agent, Mneme } from '@mneme/client';
import {
  type Fault,
  type FormatName,
  type Found,
  formatNames,
  importDocuments,
  readSource,
  type Summary,
} from '@mneme/import';
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
    const reason = isInterrupted ? 'interrupted.' : messageOf(error);
    process.stderr.write(`\nThe import ended early: ${reason} Run the same command again to continue.\n`);
    process.exitCode = isInterrupted ? interruptedCode : 1;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** @throws Error that does not contain the key; MnemeError if the system cannot be reached or used */
async function connect({ agent, space, ...options }: ImportOptions, signal: AbortSignal): Promise<Agent> {
  const apiKey = options.key ?? process.env.MNEME_API_KEY;
  // The error of a header that is not valid would show it.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new Error('The key is not valid: it has blanks or other characters that no key has.');
  }
  const system = { baseUrl: options.url ?? process.env.MNEME_URL, apiKey, spaceId: space };
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
  let read = 0;
  const print = (stream: NodeJS.WriteStream, line: string) =>
    stream.write(`${process.stdout.isTTY ? clearLine : ''}${line}\n`);
  const readAll = async function* (): AsyncIterable<Found> {
    for (const fault of faults) yield { kind: 'fault', fault };
    for (const source of sources) {
      yield* readSource(source, {
        format,
        onFormat: (place, name) => print(process.stdout, `${place}: ${name}`),
        onRead: (bytes) => {
          read += bytes;
          // The last step is shown when everything is stored.
          bar(Math.min(read, total - 1), total);
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
  const summary = await importDocuments(readAll(), { ...running, onFault });
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

/** @throws InvalidArgumentError if it is no format */
export function parseFormat(text: string): FormatName {
  const name = formatNames.find((each) => each === text);
  if (name) return name;
  throw new InvalidArgumentError(`It is one of ${formatNames.join(', ')}.`);
}

/** @throws InvalidArgumentError if it is no id of a space */
export function parseSpace(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('The id of a space is a whole number greater than 0.');
}
