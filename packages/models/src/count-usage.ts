import type { ModelUsage } from './models.ts';

/** What is needed of a registry of metrics; that of the service kit fits. */
export interface UsageCounters {
  counter(options: { name: string; help: string; labels: readonly ('task' | 'model' | 'direction')[] }): {
    inc(labels: Partial<Record<'task' | 'model' | 'direction', string>>, value: number): void;
  };
}

/** Makes a listener for `ModelsDeps.onUsage` that counts calls and tokens per task and model. */
export function countUsage(metrics: UsageCounters): (usage: ModelUsage) => void {
  const calls = metrics.counter({
    name: 'model_calls_total',
    help: 'Calls of models that were answered',
    labels: ['task', 'model'],
  });
  const tokens = metrics.counter({
    name: 'model_tokens_total',
    help: 'Tokens that models were given (input) and gave (output)',
    labels: ['task', 'model', 'direction'],
  });
  return ({ task, model, inputTokens, outputTokens }) => {
    calls.inc({ task, model }, 1);
    tokens.inc({ task, model, direction: 'input' }, inputTokens);
    tokens.inc({ task, model, direction: 'output' }, outputTokens);
  };
}
