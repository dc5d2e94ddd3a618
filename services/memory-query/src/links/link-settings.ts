/**
 * How the memory graph is derived. Part of the read model's version: with other figures a rebuild gives another graph.
 */
export const linkSettings = {
  /** From this cosine on, a fact of the same document and time is the same fact again. */
  duplicateCosine: 0.95,
  duplicateHours: 24,
  semanticCosine: 0.7,
  semanticBest: 5,
  /** More than so many that are equally alike say nothing, and none of them is linked. */
  semanticEquals: 8,
  /** Likeness is looked for among so many of the agent's youngest units. */
  semanticNewest: 20_000,
  temporalHours: 24,
  temporalFloor: 0.3,
  temporalNearest: 5,
  /** How far apart in a document units are still neighbours, and how close they are then. */
  neighbourWeights: [1, 0.9],
  /** Of all units that mention an entity, so many of the youngest are linked to. */
  entityNewest: 3,
  entityLinks: 10,
} as const;
