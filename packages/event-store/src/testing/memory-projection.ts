import { FencedError } from '../errors.ts';
import type { Projection } from '../projection/projection.ts';
import type { Recorded } from '../recorded.ts';
import type { TestEvent } from './test-log.ts';

/** A store in memory that several projectors can share: what was applied, and the checkpoint. */
export interface MemoryReadModel {
  readonly applied: Recorded<TestEvent>[];
  position: number;
  /** How often `apply` was called. */
  batches: number;
  /** Called before a batch is written; may throw. */
  beforeApply: (events: readonly Recorded<TestEvent>[]) => void | Promise<void>;
}

export function createReadModel(): MemoryReadModel {
  return { applied: [], position: 0, batches: 0, beforeApply: () => undefined };
}

export function memoryProjection(
  model: MemoryReadModel,
  options: { name?: string; types?: readonly string[] } = {},
): Projection<TestEvent> {
  const name = options.name ?? 'memory';
  return {
    name,
    version: 1,
    ...(options.types ? { types: options.types } : {}),
    readPosition: async () => model.position,
    apply: async (events, { from, to }) => {
      await model.beforeApply(events);
      if (model.position !== from) throw new FencedError(name, from);
      model.applied.push(...events);
      model.position = to;
      model.batches += 1;
    },
  };
}
