import { copyFile, rename, stat, truncate } from 'node:fs/promises';

export interface BoundedLog {
  readonly file: string;
  /** Has the writer open the file anew; without it the writer must append, and goes on in the file that was emptied. */
  readonly reopen?: () => void;
}

export interface LogBounds {
  /** From which size on a log is put aside, in bytes. */
  readonly maxBytes?: number;
  readonly intervalMs?: number;
}

const MAX_BYTES = 16 * 1024 * 1024;
const INTERVAL_MS = 10_000;

/**
 * Keeps logs from growing without end: one that is too large becomes `<file>.1`, in place of the one before, and starts
 * anew. A reader of a server's log may miss what was written in the milliseconds of the copy.
 *
 * @returns ends it; does not keep the process alive
 */
export function boundLogs(logs: readonly BoundedLog[], bounds: LogBounds = {}): () => void {
  const { maxBytes = MAX_BYTES, intervalMs = INTERVAL_MS } = bounds;
  let isBusy = false;
  const check = async () => {
    if (isBusy) return;
    isBusy = true;
    // A full disk, or a file that has gone: the next check tries again.
    for (const log of logs) await putAside(log, maxBytes).catch(() => {});
    isBusy = false;
  };
  void check();
  const timer = setInterval(() => void check(), intervalMs).unref();
  return () => clearInterval(timer);
}

async function putAside({ file, reopen }: BoundedLog, maxBytes: number): Promise<void> {
  if ((await stat(file)).size <= maxBytes) return;
  if (reopen) {
    await rename(file, `${file}.1`);
    reopen();
    return;
  }
  await copyFile(file, `${file}.1`);
  await truncate(file);
}
