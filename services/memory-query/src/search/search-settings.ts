/**
 * The parameters of a search. `docs/search.md` explains how a search uses them, and how they were chosen: on one half of the
 * questions of four sets of texts (chats of two people, made up and real; long chats with an assistant; abstracts), and
 * checked on the other half.
 */

/** Parts that can be switched off, to measure what each of them contributes. */
export const searchParts = [
  'meaning',
  'neighbours',
  'documents',
  'passages',
  'links',
  'speaker',
  'questions',
  'dates',
  'window',
  'pairs',
  'diversity',
  'floor',
] as const;
export type SearchPart = (typeof searchParts)[number];

/** How many units the index returns by each method, and how many passages; more hardly change the results. */
export const hitLimits = { atLeast: 60, perVisit: 3, most: 1_000, passages: 100 } as const;

/** What a unit's own words and meaning count, beside those of its passage. */
export const unitShare = { words: 0.3, meaning: 0.7 } as const;
/** What the mean of its units counts for the meaning of a passage; the best of them has the rest. */
export const meanShare = 0.3;
/** What passes from a passage to the ones after it (positive distances) and before it: an answer follows its question. */
export const spreadByDistance = { 1: 0.25, 2: 0.1, [-1]: 0.25, [-2]: 0.1 } as const;
/** A passage with a question passes on more to those after it, which may answer it. */
export const questionSpread = 2.2;
/** The share of the best three passages of a document that its other passages get. */
export const documentShare = 0.25;
/** The share of a unit's own match that linked units get, multiplied by the weight of the link. */
export const spreadByLink = { semantic: 0.05, entity: 0.02, temporal: 0 } as const;
/**
 * What a unit gets for telling what happened at the time that a question is about, as much as for all words of another one;
 * half of it without the word that the question has for it.
 */
export const timeShare = 1;
/** The same for having the identifier that a question names, and how many results those units are at least. */
export const identifierShare = 1;
export const leastIdentified = 10;
/** From how many of the best units links are followed, and to how many units that were not found otherwise. */
export const linkSources = 10;
export const linkTargets = 10;
/**
 * Each further unit of one passage counts so much of the one before it, since it tells less that is new: little when the
 * visits are chosen, so that a page leaves room for others, and nearly as much when what was read is sorted.
 */
export const diversity = { visits: 0.7, results: 0.9 } as const;

/** The heuristic reranker multiplies by these. */
export const rerankFactors = {
  /** For a unit whose speaker the question names. More harms questions whose answer somebody else gave. */
  namedSpeaker: 1.25,
  /** For what the user said, if the question is asked in the first person. */
  asker: 1.4,
  /** For a question, which is rarely the answer to a question; but a user who asks for help says much about themselves. */
  question: 0.75,
  /** For a unit with a date, if the question asks when. */
  dated: 1.45,
  /** For a unit within the time that the question names. */
  window: 1.4,
  /** For a unit of another time than the one that the question is about, if units of that tell what it asks. */
  otherTime: 0.5,
  /** The maximum, for a long unit in which all words of the question that follow each other do so too. */
  pairs: 1.4,
  /** The maximum, for a unit of the same day; a year later half of it is left. */
  recency: 1.03,
  /** For each time that a fact was stored again, up to four. */
  frequency: 1.02,
} as const;

/**
 * If a question asks for what is so now: the factor of the newest among the units whose score is so near the best one; the others
 * of them get less, by their order in time. Not chosen by measuring: hardly any question of the sets asks so.
 */
export const latest = { near: 0.8, factor: 1.3 } as const;

/** The words of a short unit are close to each other anyway. In characters: up to which length, and from which on a unit is long. */
export const pairsByLength = { none: 150, all: 750 } as const;
