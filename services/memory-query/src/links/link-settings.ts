/** How the memory graph is derived. With other values a rebuild gives another graph. */
export const linkSettings = {
  /** From this cosine on, a fact of the same document and time is a repetition. */
  duplicateCosine: 0.95,
  /** The same said later is another event, such as a second dose. */
  duplicateHours: 1,
  semanticBest: 5,
  /** If more units than this are equally similar, none of them is linked. */
  semanticEquals: 8,
  /** Among how many of the agent's newest units similar ones are searched. */
  semanticNewest: 20_000,
  temporalHours: 24,
  temporalFloor: 0.3,
  temporalNearest: 5,
  /** The weight of neighbours in a document, by their distance. */
  neighbourWeights: [1, 0.9],
  /** How many of the newest units that mention an entity are linked to. */
  entityNewest: 3,
  entityLinks: 10,
} as const;

/** The ordinal of the last unit of an agent that is too old to be compared. @param unitCount how many the agent has ever had */
export function lastUncompared(unitCount: number): number {
  return unitCount - linkSettings.semanticNewest;
}

/** The nearest units in time may be neighbours in the document, which are linked as such. */
export const nearestCandidates = linkSettings.temporalNearest + linkSettings.neighbourWeights.length;
