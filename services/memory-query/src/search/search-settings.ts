/**
 * The parameters of a search. Their values were chosen on five conversations with 786 questions (values chosen on three of
 * them gave the same recall on the other two) and verified on plain documents; those of passages and of the floor were
 * chosen on all of these. Recall hardly depends on their exact values, except for the floor's shares. See `docs/search.md`.
 */
export interface SearchSettings {
  /** The weight of the ranking by meaning; the ranking by words has the weight 1. */
  readonly denseRank: number;
  /** The weight of the cosine; the share of the question's words that a unit has has the weight 1. */
  readonly denseScore: number;
  /** Below this cosine, similarity of meaning is ignored. */
  readonly denseFloor: number;
  /** From this cosine on, a unit answers the question even without a word in common. */
  readonly denseAnswers: number;
  /** Parts that are switched off, to measure what each of them contributes. */
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

/** For the built-in embedding, which is based on letters and words and adds little to the ranking by words. */
const hashedSettings = { denseRank: 0.2, denseScore: 0.1, denseFloor: 0, denseAnswers: 0.6 };
/** For learned embeddings. */
const learnedSettings = { denseRank: 1, denseScore: 1.5, denseFloor: 0.25, denseAnswers: 0.5 };

/** @param embeddingModel its name, as the events hold it */
export function settingsFor(embeddingModel: string, without: readonly SearchPart[] = []): SearchSettings {
  const settings = embeddingModel.startsWith('mneme-hash') ? hashedSettings : learnedSettings;
  const off = new Set(without);
  const meaningless = { denseRank: 0, denseScore: 0, denseAnswers: Number.POSITIVE_INFINITY };
  return { ...settings, ...(off.has('meaning') ? meaningless : {}), without: off };
}

/** The share of a unit's match that its neighbours in the document get: an answer follows its question. */
export const spreadByDistance = { 1: 0.45, 2: 0.3, [-1]: 0.4, [-2]: 0.2 } as const;
/** A question passes on more of its match to the next unit. */
export const questionSpread = 1.3;
/** The share of a unit's match that linked units get, multiplied by the weight of the link. */
export const spreadByLink = { semantic: 0.15, entity: 0.05, temporal: 0 } as const;
/** From how many of the best entry points links are followed, and to how many units that were not found otherwise. */
export const linkSources = 10;
export const linkTargets = 10;
/** Added to the activation of a unit within the time that the question names. */
export const windowActivation = 0.25;
/** The share of the best units of a document that its other units get. */
export const documentShare = 0.5;
/** The passage of a unit reaches so far on both sides; with each step a unit of it counts less. */
export const passageReach = 5;
export const passageDecay = 0.9;
/** How much the words of its passage count for a unit, each once. */
export const passageShare = 0.4;
/** How much it counts that a unit has all words of the question, whatever their rarity. */
export const coverageShare = 2;
/** The share of the budget for the best entry points; the rest goes to further entry points and to neighbours. */
export const entryShare = 0.5;

/** The heuristic reranker multiplies by these. */
export const rerankFactors = {
  /** For a unit whose speaker the question names. */
  namedSpeaker: 1.3,
  /** For a question, which is rarely the answer to a question. */
  question: 0.8,
  /** For a unit with a date, if the question asks when. */
  dated: 1.2,
  /** For a unit within the time that the question names. */
  window: 1.4,
  /** The maximum, for a unit of the same day; a year later half of it is left. */
  recency: 1.03,
  /** For each time that a fact was stored again, up to four. */
  frequency: 1.02,
} as const;

/**
 * The shares of a question's words, weighted by rarity, from which on it gets all results: `passage` for some passage, or
 * `unit` for some unit together with `passageOfUnit` for its passage. A question about nothing stored has a word or two in
 * common with something by chance, which is a large share of a short question; a unit with one of several words therefore
 * needs `unitOfOneWord`.
 */
export const floorShares = { passage: 0.65, unit: 0.4, unitOfOneWord: 0.48, passageOfUnit: 0.44 } as const;
/** How many results a question gets otherwise, by the share of the best passage. */
export const resultSteps = [
  { below: 0.3, results: 0 },
  { below: 0.35, results: 3 },
  { below: 1, results: 8 },
] as const;
/** How many results a question gets at least if a unit has a rare name that it asks for. */
export const resultsForName = 5;
/** A name is rare from this share of the highest inverse document frequency on. */
export const rareName = 0.5;
