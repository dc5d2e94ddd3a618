import { type ModelsDeps, type ModelTask, type ModelUsage, modelTasks, type TaskUsage } from './models.ts';

/** Counts what the calls of models took, per task, and tells it to the log and to whoever counts too. */
export function createUsage({ logger, onUsage }: ModelsDeps) {
  const totals = new Map<ModelTask, TaskUsage>(
    modelTasks.map((task) => [task, { calls: 0, inputTokens: 0, outputTokens: 0 }]),
  );
  return {
    add: (usage: ModelUsage) => {
      const { calls, inputTokens, outputTokens } = totals.get(usage.task) ?? {
        calls: 0,
        inputTokens: 0,
        outputTokens: 0,
      };
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
