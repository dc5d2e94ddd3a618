import { z } from 'zod';
import { type Entity, entityTypes, factTypes, maxEntities } from '../ports.ts';
import { revisionVerdicts, traitNames } from '../reasoning-ports.ts';
import { beginsWithApology, isRefusal } from './refusal.ts';

/** Models also write `person`, `Person`, or a type of their own. */
const entityTypeSchema = z.preprocess((value) => {
  const type = String(value).toUpperCase();
  return entityTypes.find((known) => type.startsWith(known)) ?? synonyms[type] ?? 'OTHER';
}, z.enum(entityTypes));

const synonyms: Readonly<Record<string, Entity['type']>> = {
  COMPANY: 'ORG',
  LOCATION: 'PLACE',
  CITY: 'PLACE',
  COUNTRY: 'PLACE',
};

const entityList = z.array(z.object({ name: z.string(), type: entityTypeSchema }));
const entitiesSchema = z.preprocess((value) => value ?? [], entityList);

const lowerCase = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);
/** A number of a model that is a little above 1 means 1. */
const highestShare = 1.1;
/** From here on a number can only be in percent; one between is neither, and the model is asked again. */
const leastPercent = 10;

/** Some models answer in percent. */
const share = z.preprocess((value) => {
  if (typeof value !== 'number' || value <= 1) return value;
  if (value >= leastPercent && value <= 100) return value / 100;
  return value <= highestShare ? 1 : value;
}, z.number().min(0).max(1));

export const factsAnswer = z.object({
  facts: z.array(
    z.object({
      text: z.string(),
      type: z.preprocess(lowerCase, z.enum(factTypes)),
      date: z.preprocess((value) => value ?? null, z.string().nullable()),
      entities: entitiesSchema,
    }),
  ),
});

export const opinionsAnswer = z.object({
  opinions: z.array(z.object({ text: z.string(), confidence: share, entities: entitiesSchema })),
});

/** In characters. An opinion is one sentence; one that fills the budget of an answer would leave no room for others. */
const longestOpinion = 1_000;

/** Whether a text of a model can be an opinion. */
export function isOpinion(text: string): boolean {
  return text.trim() !== '' && text.length <= longestOpinion && !isRefusal(text);
}

/** With another verdict, the text is not used. */
const isUsable = ({ verdict, text }: { readonly verdict: string; readonly text: string }) =>
  verdict !== 'rewrite' || text.trim() === '' || isOpinion(text);

export const revisionAnswer = z
  .object({
    verdict: z.preprocess(lowerCase, z.enum(revisionVerdicts)),
    text: z.string(),
    confidence: share,
    /** Null when the model left it out. */
    entities: z.preprocess((value) => value ?? null, entityList.nullable()),
  })
  .refine(isUsable, { path: ['text'], message: `An opinion of at most ${longestOpinion} characters is missing` });
export type RevisionAnswer = z.infer<typeof revisionAnswer>;

export const backgroundAnswer = z.object({
  background: z
    .string()
    .trim()
    .min(1)
    .refine((text) => !isRefusal(text) && !beginsWithApology(text), 'The text of the background is missing'),
});

const traits = z.object({
  openness: share,
  conscientiousness: share,
  extraversion: share,
  agreeableness: share,
  neuroticism: share,
});

export const traitsAnswer = z.preprocess(fromPercent, traits);

/** In an answer in percent, 5 beside 60 is 0.05. */
function fromPercent(answer: unknown): unknown {
  const found = z.record(z.string(), z.unknown()).safeParse(answer).data ?? {};
  const values = traitNames.map((name) => found[name]).filter((value) => typeof value === 'number');
  const isPercent = values.every((value) => value === 0 || value >= 1) && values.some((value) => value >= leastPercent);
  if (!isPercent) return answer;
  return { ...found, ...Object.fromEntries(traitNames.map((name) => [name, percent(found[name])])) };
}

const percent = (value: unknown) => (typeof value === 'number' ? value / 100 : value);

const longestName = 120;

/** Entities as facts store them: each name once, none blank, bounded in number and length. */
export function tidyEntities(entities: readonly Entity[]): Entity[] {
  const byName = new Map<string, Entity>();
  for (const { name, type } of entities) {
    const tidy = name.toWellFormed().replace(/\s+/g, ' ').trim();
    const key = tidy.toLowerCase();
    if (tidy !== '' && tidy.length <= longestName && !byName.has(key)) byName.set(key, { name: tidy, type });
  }
  return [...byName.values()].slice(0, maxEntities);
}
