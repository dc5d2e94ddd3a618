import { randomUUID } from 'node:crypto';
import { type MemoryEvent, memoryQuery, memorySubjects } from '@mneme/contracts';
import { createHashedEmbeddings, type FactExtractor } from '@mneme/models';
import { expect, it } from 'vitest';
import { behindAtFirst, requestContext, useMemoryQuery, useTestLog } from '../testing/test-log.ts';
import { correctUnit } from './correct.ts';

const log = useTestLog();
const agent = { space: 'public', agentId: 'alice' };
const eventDate = '2026-01-01T00:00:00.000Z';
const stored = 'Ana lives in Porto.';
const embeddings = createHashedEmbeddings();
const extractor: FactExtractor = { name: 'test', extract: async () => [] };

const unit = { text: stored, context: null, eventDate };
const query = useMemoryQuery(log, (service) =>
  service.serve(memoryQuery.findUnit, () => ({ agentId: agent.agentId, unit })),
);

/** A unit with one correction, which the first read of the log does not have. */
async function correctedUnit(text: string) {
  const unitId = randomUUID();
  const by = { correctionId: randomUUID(), embeddingModel: embeddings.name, extractor: 'test' };
  const [vector = new Float32Array()] = await embeddings.embed([text]);
  const base64 = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
  const data = { ...agent, unitId, text, eventDate, entities: [], vector: base64, ...by };
  const corrected: MemoryEvent = { type: 'UnitCorrected', data };
  await log.store.append(memorySubjects.unit(agent, unitId), [corrected], 0, { correlationId: 'test' });
  const correct = (change: { text: string; expectedText: string | null }) => {
    const models = { extractor, embeddings };
    const deps = { client: query.client, models, store: log.store, storeFor: () => behindAtFirst(log.store) };
    return correctUnit(deps, { space: 'public', unitId, correctionId: randomUUID(), ...change }, requestContext());
  };
  return { unitId, correct };
}

it('corrects a unit back to its first text, although a replica of the log lacks the correction before', async () => {
  const { unitId, correct } = await correctedUnit('Ana lives in Lisbon.');
  const { position } = await correct({ text: stored, expectedText: null });
  expect(position).not.toBeNull();
  expect(await log.typesOf(memorySubjects.unit(agent, unitId))).toEqual(['UnitCorrected', 'UnitCorrected']);
});

it('accepts the newest text as the expected one, although a replica of the log lacks it', async () => {
  const { correct } = await correctedUnit('Ana lives in Lisbon.');
  const { position } = await correct({ text: 'Ana lives in Faro.', expectedText: 'Ana lives in Lisbon.' });
  expect(position).not.toBeNull();
});
