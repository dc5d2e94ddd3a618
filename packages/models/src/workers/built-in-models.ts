import { createRuleExtractor } from '../extraction/rule-extractor.ts';
import type { Models } from '../models.ts';
import { createExtractiveThinker } from '../reasoning/extractive-thinker.ts';
import { createRuleBackground } from '../reasoning/rule-background.ts';
import { createRuleOpinions } from '../reasoning/rule-opinions.ts';
import { createHashedEmbeddings } from '../text/hashed-embeddings.ts';
import type { TextWorkers } from './text-workers.ts';

export type BuiltInModels = Pick<Models, 'extractor' | 'embeddings' | 'thinker' | 'opinions' | 'background'>;

/** The built-in models, which run in workers. */
export function createBuiltInModels(workers: TextWorkers): BuiltInModels {
  return {
    extractor: { ...createRuleExtractor(), extract: (item, signal) => workers.run('extract', item, signal) },
    embeddings: { ...createHashedEmbeddings(), embed: (texts, signal) => embedInSlices(workers, texts, signal) },
    thinker: { ...createExtractiveThinker(), think: (input, signal) => workers.run('think', input, signal) },
    opinions: {
      ...createRuleOpinions(),
      form: (input, signal) => workers.run('formOpinions', input, signal),
      revise: (input, signal) => workers.run('reviseOpinion', input, signal),
    },
    background: {
      ...createRuleBackground(),
      merge: (input, signal) => workers.run('mergeBackground', input, signal),
      inferTraits: (background, signal) => workers.run('inferTraits', background, signal),
    },
  };
}

/** Texts per task: copying the vectors of very many texts from a thread would block the process. */
const sliceLength = 256;

async function embedInSlices(
  workers: TextWorkers,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let start = 0; start === 0 || start < texts.length; start += sliceLength) {
    vectors.push(...(await workers.run('embed', texts.slice(start, start + sliceLength), signal)));
  }
  return vectors;
}
