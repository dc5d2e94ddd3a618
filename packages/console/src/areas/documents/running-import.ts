import type { Fault, FormatName, Found, Summary } from '@mneme/import';
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { lastingClient } from '../../app/client.ts';
import { noteFault, queryClient } from '../../app/query-client.ts';
import { identity, untilOver } from '../../app/session/identity.ts';
import type { Dropped } from './dropped-files.ts';
import { fileSource } from './file-source.ts';

/** An import of this page. It goes on while one looks at other areas. */
export interface RunningImport {
  readonly agentId: string;
  /** `finding`: what was dropped is looked through, and nothing is stored yet. */
  readonly status: 'finding' | 'running' | 'done' | 'stopped' | 'failed';
  /** Of all files, in bytes. */
  readonly total: number;
  /** About how many of them are stored, or passed over. */
  readonly processed: number;
  readonly stored: number;
  readonly replaced: number;
  readonly unchanged: number;
  /** The first ones. */
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  /** When it has ended. */
  readonly summary?: Summary;
  /** Why it ended early. */
  readonly error?: unknown;
}

const maxShownFaults = 100;
/** How often a request is repeated that fails for a passing reason: for about two minutes. */
const retries = 20;

/** Kept with what is read of the server, so that it goes when the page acts for another caller. */
const importQuery = queryOptions<RunningImport | null>({
  queryKey: ['import'],
  queryFn: skipToken,
  initialData: null,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

let stop = new AbortController();

export function useRunningImport(): RunningImport | null {
  return useQuery(importQuery).data ?? null;
}

export function isRunning(state: RunningImport | null | undefined): boolean {
  return state?.status === 'finding' || state?.status === 'running';
}

/** The import ends after the requests that are on their way. */
export function stopImport(): void {
  stop.abort();
}

export function hideImport(): void {
  queryClient.setQueryData(importQuery.queryKey, null);
}

interface ImportRequest {
  readonly agentId: string;
  /** Finds the files, and what could not be opened; called at once. */
  readonly find: () => Dropped | Promise<Dropped>;
  /** Undefined: what each file looks like. */
  readonly format: FormatName | undefined;
}

/**
 * Reads files in this browser, and stores what is in them for whom the page acts now; it ends when the page ceases to. Nothing
 * is stored twice, however often it is repeated. Does nothing while another import runs.
 */
export async function startImport({ agentId, find, format }: ImportRequest): Promise<void> {
  const before = queryClient.getQueryData(importQuery.queryKey);
  if (isRunning(before)) return;
  stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, untilOver()]);
  const caller = identity();
  const agent = lastingClient(retries).agent(agentId);
  const counts = { total: 0, processed: 0, stored: 0, replaced: 0, unchanged: 0, faultCount: 0 };
  const faults: Fault[] = [];
  const set = (state: RunningImport | null) => {
    if (identity() === caller) queryClient.setQueryData(importQuery.queryKey, state);
  };
  const show = (state: Partial<RunningImport> & Pick<RunningImport, 'status'>) =>
    set({ agentId, ...counts, faults: [...faults], ...state });
  show({ status: 'finding' });
  addEventListener('beforeunload', askBeforeLeaving);
  try {
    const { files, faults: unopened } = await find();
    if (files.length + unopened.length === 0) return set(before ?? null);
    counts.total = files.reduce((sum, { file }) => sum + file.size, 0);
    show({ status: 'running' });
    const { importDocuments, readSource } = await import('@mneme/import');
    const all = (async function* (): AsyncIterable<Found> {
      for (const fault of unopened) yield { kind: 'fault', fault };
      for (const file of files) yield* readSource(fileSource(file), { format, onFormat: () => undefined });
    })();
    const summary = await importDocuments(all, {
      agent,
      signal,
      onFault: (fault) => {
        counts.faultCount += 1;
        if (faults.length < maxShownFaults) faults.push(fault);
        show({ status: 'running' });
      },
      onDocument: (_, outcome) => {
        if (outcome !== 'read') counts[outcome] += 1;
      },
      onDone: (bytes) => {
        counts.processed += bytes;
        show({ status: 'running' });
      },
    });
    show({ status: 'done', processed: counts.total, summary });
  } catch (error) {
    if (!signal.aborted) noteFault(error);
    show(signal.aborted ? { status: 'stopped' } : { status: 'failed', error });
  } finally {
    removeEventListener('beforeunload', askBeforeLeaving);
    await queryClient.invalidateQueries({ predicate: ({ queryKey: [area] }) => area !== 'import' });
  }
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
