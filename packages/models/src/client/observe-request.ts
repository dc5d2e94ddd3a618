import { inSpan, modelRequested } from '@mneme/telemetry';
import { ModelError } from '../model-error.ts';

/** Sends a request to a model server within a span, and measures it by its outcome. */
export function observeRequest<T>(model: string, send: () => Promise<T>): Promise<T> {
  const attributes = { 'gen_ai.request.model': model };
  return inSpan(`model ${model}`, { by: 'models', kind: 'CLIENT', attributes }, async () => {
    const startedAt = performance.now();
    let outcome = 'cancelled';
    try {
      const result = await send();
      outcome = 'ok';
      return result;
    } catch (error) {
      if (error instanceof ModelError) outcome = error.code;
      throw error;
    } finally {
      modelRequested.publish({ model, outcome, seconds: (performance.now() - startedAt) / 1_000 });
    }
  });
}
