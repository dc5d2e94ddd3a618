import { type ModelsDeps, type ModelTask, type ModelUsage, modelTasks, type TaskUsage } from './models.ts';

/** What this needs of a metrics registry; that of the service kit fits. */
export interface UsageCounters {
  counter(options: { name: string; help: string; labels: readonly ('task' | 'model' | 'direction')[] }): {
    inc(labels: Partial<Record<'task' | 'model' | 'direction', string>>, value: number): void;
  };
}

/** Makes a listener for `ModelsDeps.onUsage` that counts model calls and tokens per task and model. */
export function countUsage(metrics: UsageCounters): (usage: ModelUsage) => void {
  const calls = metrics.counter({
    name: 'mneme_model_calls_total',
    help: 'Calls of models that were answered',
    labels: ['task', 'model'],
  });
  const tokens = metrics.counter({
    name: 'mneme_model_tokens_total',
    help: 'Tokens that models were given (input) and gave (output)',
    labels: ['task', 'model', 'direction'],
  });
  return ({ task, model, inputTokens, outputTokens }) => {
    calls.inc({ task, model }, 1);
    tokens.inc({ task, model, direction: 'input' }, inputTokens);
    tokens.inc({ task, model, direction: 'output' }, outputTokens);
  };
}

const none: TaskUsage = { calls: 0, inputTokens: 0, outputTokens: 0 };

/** Adds up the usage of models per task, logs each call and passes it to `onUsage`. */
export function createUsage({ logger, onUsage }: ModelsDeps) {
  const totals = new Map<ModelTask, TaskUsage>(modelTasks.map((task) => [task, none]));
  return {
    add: (usage: ModelUsage) => {
      const { calls, inputTokens, outputTokens } = totals.get(usage.task) ?? none;
      totals.set(usage.task, {
        calls: calls + 1,
        inputTokens: inputTokens + usage.inputTokens,
        outputTokens: outputTokens + usage.outputTokens,
      });
      logger?.debug({ ...usage }, 'model called');
      onUsage?.(usage);
    },
    totals: (): Readonly<Record<ModelTask, TaskUsage>> => Object.fromEntries(totals) as Record<ModelTask, TaskUsage>,
  };
}
