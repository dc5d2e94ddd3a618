import type { Entity, FactType, ItemRole, Personality } from '@mneme/contracts';
import type { AgentCharacter, ExtractedFact, FactExtractor } from '@mneme/models';
import { expectTypeOf, it } from 'vitest';

type ExtractionItem = Parameters<FactExtractor['extract']>[0];

it('models and events know the same types of facts and entities, roles and traits', () => {
  expectTypeOf<ExtractedFact['factType']>().toEqualTypeOf<FactType>();
  expectTypeOf<ExtractedFact['entities'][number]['type']>().toEqualTypeOf<Entity['type']>();
  expectTypeOf<NonNullable<ExtractionItem['role']>>().toEqualTypeOf<ItemRole>();
  expectTypeOf<keyof AgentCharacter['personality']>().toEqualTypeOf<keyof Personality>();
});
