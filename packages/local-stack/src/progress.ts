import { createDownloadPrinter } from '@mneme/downloads';
import type { ServerName } from './servers/server.ts';

export type Progress =
  | { kind: 'downloading'; server: ServerName; receivedBytes: number; totalBytes: number }
  | { kind: 'waiting-for-other-download'; server: ServerName }
  | { kind: 'binary-passed-over'; server: ServerName; path: string; reason: string }
  | { kind: 'ready'; server: ServerName; url: string; tookMs: number }
  | { kind: 'exited'; server: ServerName; code: number | null; signal: NodeJS.Signals | null }
  | { kind: 'stop-forced'; server: ServerName; timeoutMs: number }
  | { kind: 'restarting'; server: ServerName; attempt: number; delayMs: number }
  | { kind: 'restart-failed'; server: ServerName; error: unknown };

export type OnProgress = (progress: Progress) => void;

/** One line for people. */
function describeProgress(progress: Exclude<Progress, { kind: 'downloading' }>): string {
  switch (progress.kind) {
    case 'waiting-for-other-download':
      return `${progress.server}: another start is downloading it, waiting for that`;
    case 'binary-passed-over':
      return `${progress.server}: not using ${progress.path}, ${progress.reason}`;
    case 'ready':
      return `${progress.server}: ready at ${progress.url} after ${progress.tookMs} ms`;
    case 'exited':
      return `${progress.server}: ended unexpectedly (${progress.signal ?? `exit code ${progress.code}`})`;
    case 'stop-forced':
      return `${progress.server}: did not stop within ${progress.timeoutMs} ms, killing it`;
    case 'restarting':
      return `${progress.server}: starting it again in ${progress.delayMs} ms (attempt ${progress.attempt})`;
    case 'restart-failed':
      return `${progress.server}: could not be started again: ${String(progress.error)}`;
  }
}

/**
 * Prints progress: on a terminal a download is one line that is drawn over, elsewhere a line for each quarter.
 * Pass `only` to leave out the kinds that are of no interest.
 */
export function createProgressPrinter(stream: NodeJS.WriteStream, only?: readonly Progress['kind'][]): OnProgress {
  const printDownload = createDownloadPrinter(stream);
  return (progress) => {
    if (only && !only.includes(progress.kind)) return;
    if (progress.kind === 'downloading') printDownload(progress.server, progress.receivedBytes, progress.totalBytes);
    else stream.write(`${describeProgress(progress)}\n`);
  };
}
