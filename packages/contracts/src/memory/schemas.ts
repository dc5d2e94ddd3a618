import { z } from 'zod';
import { component } from '../http/component.ts';

/** What a memory unit is about. */
export const factTypes = ['world', 'agent', 'opinion'] as const;
export const factTypeSchema = z.enum(factTypes);
export type FactType = z.infer<typeof factTypeSchema>;

/** The kinds of links between memory units. */
export const linkTypeSchema = z.enum(['temporal', 'semantic', 'entity']);

/** The most items that one batch may have. */
export const maxBatchItems = 1_000;

/** Who wrote an item, in the roles of a chat. */
export const itemRoles = ['user', 'assistant', 'system', 'tool'] as const;
export type ItemRole = (typeof itemRoles)[number];

/** What a batch does with the document that it names. */
export const documentModes = ['replace', 'append'] as const;
export type DocumentMode = (typeof documentModes)[number];

/** How a search orders its results. */
export const rerankers = ['heuristic', 'none', 'cross-encoder'] as const;

export const entityTypes = ['PERSON', 'ORG', 'PLACE', 'PRODUCT', 'CONCEPT', 'OTHER'] as const;
export const entitySchema = z.object({ name: z.string(), type: z.enum(entityTypes) });
export type Entity = z.infer<typeof entitySchema>;

const trait = z.number().min(0).max(1);

/** The Big Five traits and how strongly they influence opinions, each 0 to 1. */
export const personalitySchema = component('PersonalityTraits', {
  openness: trait.meta({ description: 'Openness to experience' }),
  conscientiousness: trait,
  extraversion: trait,
  agreeableness: trait,
  neuroticism: trait,
  bias_strength: trait.meta({ description: 'How strongly personality influences opinions' }),
});
export type Personality = z.infer<typeof personalitySchema>;

/** The personality of a new agent. */
export const defaultPersonality: Personality = Object.freeze({
  openness: 0.5,
  conscientiousness: 0.5,
  extraversion: 0.5,
  agreeableness: 0.5,
  neuroticism: 0.5,
  bias_strength: 0.5,
});
export const defaultBackground = '';

/** What of an agent influences its answers. */
export const characterSchema = z.object({ personality: personalitySchema, background: z.string() });

export const timestampSchema = z.string().meta({
  format: 'date-time',
  description: 'ISO 8601 in UTC with milliseconds',
});
