import { ModelError, type ModelErrorCode } from '../model-error.ts';
import { createTextTasks, type TextTasks } from './tasks.ts';

// The module that worker threads run; see `createTextWorkers`.

/**
 * The result of a thread. Errors are sent as data, since they would lose their class. Long lists are sent as pages of
 * JSON, so that the receiver can yield to the event loop between two pages.
 */
export type Outcome =
  | { readonly value: unknown }
  | { readonly pages: readonly string[] }
  | { readonly failed: ModelErrorCode; readonly message: string };

export interface WorkerRequest {
  readonly task: keyof TextTasks;
  readonly input: unknown;
}

const tasks = createTextTasks();
/** Tasks whose results are lists of plain objects. */
const paged: ReadonlySet<keyof TextTasks> = new Set(['extract', 'chunks']);
const pageLength = 500;

function pagesOf(list: readonly unknown[]): string[] {
  const count = Math.ceil(list.length / pageLength);
  return Array.from({ length: count }, (_, page) =>
    JSON.stringify(list.slice(page * pageLength, (page + 1) * pageLength)),
  );
}

export async function run({ task, input }: WorkerRequest): Promise<Outcome> {
  const work = tasks[task] as (input: unknown) => Promise<unknown>;
  try {
    const value = await work(input);
    return paged.has(task) && Array.isArray(value) ? { pages: pagesOf(value) } : { value };
  } catch (error) {
    if (error instanceof ModelError) return { failed: error.code, message: error.message };
    throw error;
  }
}
