/**
 * What a search is tuned by. The figures come from five conversations (786 questions; figures chosen on three of them gave
 * the same recall on the other two), and were looked at again on plain documents of our own. Those of passages and of the
 * floor were chosen with all of these in view. Around them recall is flat, so that none of them has to be exact, but for
 * the floor's shares. See `docs/search.md`.
 */
export interface SearchSettings {
  /** How much a ranking by meaning counts beside one by words, which counts 1. */
  readonly denseRank: number;
  /** How much the cosine counts beside the share of the question's words that a unit has. */
  readonly denseScore: number;
  /** Below this cosine, likeness of meaning counts for nothing. */
  readonly denseFloor: number;
  /** From this cosine on, a unit answers the question even if it shares no word with it. */
  readonly denseAnswers: number;
  /** Parts that are switched off, to see what each of them gives. */
  readonly without: ReadonlySet<SearchPart>;
}

export const searchParts = [
  'meaning',
  'neighbours',
  'documents',
  'passages',
  'links',
  'coverage',
  'speaker',
  'questions',
  'dates',
  'window',
  'floor',
] as const;
export type SearchPart = (typeof searchParts)[number];

/** For the built-in embedding: it sees letters and words, about what the words themselves tell already. */
const hashedSettings = { denseRank: 0.2, denseScore: 0.1, denseFloor: 0, denseAnswers: 0.6 };
/** For embeddings that were learned. */
const learnedSettings = { denseRank: 1, denseScore: 1.5, denseFloor: 0.25, denseAnswers: 0.5 };

/** @param embeddingModel its name, as the events hold it */
export function settingsFor(embeddingModel: string, without: readonly SearchPart[] = []): SearchSettings {
  const settings = embeddingModel.startsWith('mneme-hash') ? hashedSettings : learnedSettings;
  const off = new Set(without);
  const meaningless = { denseRank: 0, denseScore: 0, denseAnswers: Number.POSITIVE_INFINITY };
  return { ...settings, ...(off.has('meaning') ? meaningless : {}), without: off };
}

/** How much of a unit's match its neighbours in the same document get: an answer follows its question. */
export const spreadByDistance = { 1: 0.45, 2: 0.3, [-1]: 0.4, [-2]: 0.2 } as const;
/** A question passes more of its match on to what follows it. */
export const questionSpread = 1.3;
/** How much of a unit's match those get that it is linked to, times the weight of the link. */
export const spreadByLink = { semantic: 0.15, entity: 0.05, temporal: 0 } as const;
/** Links are followed from so many of the best entry points, to so many units that were not found themselves. */
export const linkSources = 10;
export const linkTargets = 10;
/** What a unit within the time that the question names has on top, whatever its words. */
export const windowActivation = 0.25;
/** How much the best of a document lift its other units. */
export const documentShare = 0.5;
/** So far on both sides reaches the passage that a unit stands in; what others of it say counts less with each step. */
export const passageReach = 5;
export const passageDecay = 0.9;
/** How much the words of its passage count for a unit, each once, wherever in it they stand. */
export const passageShare = 0.4;
/** How much it counts that a unit has all the words of the question, beside how rare they are. */
export const coverageShare = 2;
/** Half of the budget goes to units that match themselves; the other half to them and their neighbours. */
export const entryShare = 0.5;

/** The heuristic reranker multiplies by these. */
export const rerankFactors = {
  /** Said by the person whom the question names. */
  namedSpeaker: 1.3,
  /** A question is rarely the answer to a question. */
  question: 0.8,
  /** A unit with a date, for a question that asks when. */
  dated: 1.2,
  /** Within the time that the question names. */
  window: 1.4,
  /** At most, for a unit of the very day; a year later half of it is left. */
  recency: 1.03,
  /** For each time that a fact was stored again, up to four. */
  frequency: 1.02,
} as const;

/**
 * When a question gets all results: some passage has so much of its words, by rarity, or some unit and its passage have
 * nearly as much. A question about nothing stored shares a word or two with something by chance; of a short one that is
 * much, so that a unit with one of several words has to have more of it.
 */
export const floorShares = { passage: 0.65, unit: 0.4, unitOfOneWord: 0.48, passageOfUnit: 0.44 } as const;
/** How many results it gets otherwise, by the share of the best passage. */
export const resultSteps = [
  { below: 0.3, results: 0 },
  { below: 0.35, results: 3 },
  { below: 1, results: 8 },
] as const;
/** How many it gets at least when a unit has a rare name that it asks about. */
export const resultsForName = 5;
/** From this part of the highest inverse document frequency on, a name is rare. */
export const rareName = 0.5;
