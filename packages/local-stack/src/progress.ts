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
export function describeProgress(progress: Progress): string {
  switch (progress.kind) {
    case 'downloading':
      return `${progress.server}: downloading ${downloadBar(progress.receivedBytes, progress.totalBytes)}`;
    case 'waiting-for-other-download':
      return `${progress.server}: another start is downloading it, waiting for that`;
    case 'binary-passed-over':
      return `${progress.server}: not using ${progress.path}, ${progress.reason}`;
    case 'ready':
      return `${progress.server}: ready at ${progress.url} after ${progress.tookMs} ms`;
    case 'exited':
      return `${progress.server}: ended unexpectedly (${progress.signal ?? `exit code ${progress.code}`})`;
    case 'stop-forced':
      return `${progress.server}: did not end within ${progress.timeoutMs} ms, it is killed`;
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
  const quarterPrinted = new Map<ServerName, number>();
  return (progress) => {
    if (only && !only.includes(progress.kind)) return;
    if (progress.kind !== 'downloading') {
      stream.write(`${describeProgress(progress)}\n`);
      return;
    }
    const isDone = progress.receivedBytes >= progress.totalBytes;
    if (stream.isTTY) {
      stream.write(`\r${describeProgress(progress)}${isDone ? '\n' : ''}`);
      return;
    }
    const quarter = Math.floor((progress.receivedBytes / progress.totalBytes) * 4);
    if (quarter === quarterPrinted.get(progress.server)) return;
    quarterPrinted.set(progress.server, quarter);
    stream.write(`${describeProgress(progress)}\n`);
  };
}

function downloadBar(receivedBytes: number, totalBytes: number): string {
  const width = 24;
  const filled = Math.min(width, Math.round((receivedBytes / totalBytes) * width));
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1).padStart(5);
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${megabytes(receivedBytes)} of ${megabytes(totalBytes)} MB`;
}
