import { createRuleExtractor } from '../extraction/rule-extractor.ts';
import type { ExtractedFact, ExtractionItem } from '../ports.ts';
import { createExtractiveThinker } from '../reasoning/extractive-thinker.ts';
import { createRuleBackground } from '../reasoning/rule-background.ts';
import { createRuleOpinions } from '../reasoning/rule-opinions.ts';
import type {
  BackgroundInput,
  FormedOpinion,
  OpinionInput,
  OpinionRevision,
  RevisionInput,
  ThinkInput,
  Traits,
} from '../reasoning-ports.ts';
import { type Chunk, type ChunkedItem, chunksOf } from '../served/chunks.ts';
import { createHashedEmbeddings } from '../text/hashed-embeddings.ts';

/** The tasks that process free text with rules, each with one input that can be copied to a thread. */
export interface TextTasks {
  extract(item: ExtractionItem): Promise<ExtractedFact[]>;
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  think(input: ThinkInput): Promise<string>;
  formOpinions(input: OpinionInput): Promise<FormedOpinion[]>;
  reviseOpinion(input: RevisionInput): Promise<OpinionRevision>;
  mergeBackground(input: BackgroundInput): Promise<string>;
  inferTraits(background: string): Promise<Traits>;
  /** Cuts an item for a language model. */
  chunks(item: ChunkedItem): Promise<Chunk[]>;
}

/** The input of each task. */
export type TextInputs = { readonly [T in keyof TextTasks]: Parameters<TextTasks[T]>[0] };

/** Runs the tasks in the calling thread, without yielding to the event loop. */
export function createTextTasks(): TextTasks {
  const extractor = createRuleExtractor();
  const embeddings = createHashedEmbeddings();
  const thinker = createExtractiveThinker();
  const opinions = createRuleOpinions();
  const background = createRuleBackground();
  return {
    extract: (item) => extractor.extract(item),
    embed: (texts) => embeddings.embed(texts),
    think: (input) => thinker.think(input),
    formOpinions: (input) => opinions.form(input),
    reviseOpinion: (input) => opinions.revise(input),
    mergeBackground: (input) => background.merge(input),
    inferTraits: (text) => background.inferTraits(text),
    chunks: async (item) => chunksOf(item),
  };
}
