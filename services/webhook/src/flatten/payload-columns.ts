import type { RecordedColumn } from '@mneme/contracts';
import { createWorkerPool, isLongText, WorkerCrashError, WorkerTimeoutError } from '@mneme/workers';
import { flatten, reservedNames } from './flatten.ts';
import { inferType } from './infer-type.ts';
import { PayloadError } from './json-tree.ts';

/** The columns that a payload has values for, without the reserved ones; or the reason why it cannot become a row. */
export type PayloadColumns = { readonly columns: readonly RecordedColumn[] } | { readonly error: string };

/** A payload up to this length, in UTF-16 code units, is read in a few milliseconds. */
const shortPayload = 16 * 1024;

/** Reads the columns of payloads, JSON text. */
export interface PayloadReader {
  /** A short payload is read at once, a long one in a thread, so that it does not block the event loop. */
  read(payload: string): Promise<PayloadColumns>;
  /** Ends the threads. */
  close(): Promise<void>;
}

/** A hundred times the time that a payload of many members takes on an idle machine. */
function usualTimeLimitMs(length: number): number {
  return 10_000 + length / 100;
}

/** The threads start with the first long payload, and keep no process alive. @param threads how many there are at most */
export function createPayloadReader(threads?: number, timeLimitMs = usualTimeLimitMs): PayloadReader {
  const pool = createWorkerPool({ module: new URL(import.meta.url), threads });
  return {
    read: async (payload) => {
      if (payload.length <= shortPayload) return readColumns(payload);
      const { length } = payload;
      try {
        const run = { timeLimitMs: timeLimitMs(length), isLong: isLongText(length) };
        return await pool.run<PayloadColumns>('readColumns', payload, run);
      } catch (error) {
        if (error instanceof WorkerTimeoutError) return { error: 'The payload takes too long to read' };
        if (error instanceof WorkerCrashError) return { error: 'The payload takes too much memory to read' };
        throw error;
      }
    },
    close: () => pool.close(),
  };
}

/** Reads a payload without a thread; the threads run it. */
export function readColumns(payload: string): PayloadColumns {
  try {
    const fields = [...flatten(payload)].filter(([columnName]) => !reservedNames.has(columnName));
    return {
      columns: fields.map(([columnName, { displayName, firstJson }]) => {
        return { columnName, displayName, type: inferType(firstJson) };
      }),
    };
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    return { error: error.message };
  }
}
