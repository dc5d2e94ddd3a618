import { ModelError, type ModelErrorCode } from '../model-error.ts';
import { createTextTasks, type TextTasks } from './tasks.ts';

// What a thread runs; see `createTextWorkers`.

/** What comes back from a thread, which would strip an error of its class. */
export type Outcome = { readonly value: unknown } | { readonly failed: ModelErrorCode; readonly message: string };

export interface WorkerRequest {
  readonly task: keyof TextTasks;
  readonly input: unknown;
}

const tasks = createTextTasks();

export async function run({ task, input }: WorkerRequest): Promise<Outcome> {
  const work = tasks[task] as (input: unknown) => Promise<unknown>;
  try {
    return { value: await work(input) };
  } catch (error) {
    if (error instanceof ModelError) return { failed: error.code, message: error.message };
    throw error;
  }
}
