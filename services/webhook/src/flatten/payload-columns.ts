import type { RecordedColumn } from '@mneme/contracts';
import { createWorkerPool, WorkerCrashError, WorkerTimeoutError } from '@mneme/workers';
import { flatten, reservedNames } from './flatten.ts';
import { inferType } from './infer-type.ts';
import { PayloadError } from './json-tree.ts';

/** The columns that a payload wants, but for those that it may never add; or why it cannot become a row. */
export type PayloadColumns = { readonly columns: readonly RecordedColumn[] } | { readonly error: string };

/** A payload up to this length is read in a few milliseconds, in UTF-16 code units. */
const shortPayload = 16 * 1024;

/** Its threads start with the first long payload, and keep no process alive. */
const pool = createWorkerPool({ module: new URL('./worker.ts', import.meta.url) });

/** A hundred times what a payload of members alone needs on an idle machine. */
function usualTimeLimitMs(length: number): number {
  return 10_000 + length / 100;
}

/**
 * Reads the columns of a payload: of a short one at once, of a long one in a thread, so that it holds nobody up.
 * @param payload JSON text.
 */
export async function payloadColumns(payload: string, timeLimitMs = usualTimeLimitMs): Promise<PayloadColumns> {
  if (payload.length <= shortPayload) return readColumns(payload);
  try {
    return await pool.run<PayloadColumns>('readColumns', payload, { timeLimitMs: timeLimitMs(payload.length) });
  } catch (error) {
    if (error instanceof WorkerTimeoutError) return { error: 'The payload takes too long to read' };
    if (error instanceof WorkerCrashError) return { error: 'The payload takes too much memory to read' };
    throw error;
  }
}

/** The same without a thread. */
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
