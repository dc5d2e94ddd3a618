import type { MemoryEventOf } from '@mneme/contracts';
import { describe, it } from 'vitest';
import { unitId } from '../read-model/row-ids.ts';
import { createLogWriter } from '../testing/events.ts';
import { given, givenStored, rowsAfter } from '../testing/spec.ts';

const agent = { space: 'public', agentId: 'alice' };
const id = unitId('thought', 0);
const ana = { name: 'Ana', type: 'PERSON' as const };
const vector = Buffer.from(new Float32Array([1, 0]).buffer).toString('base64');

function writeOpinions() {
  const log = createLogWriter();
  const eventDate = '2026-01-01T00:00:00.000Z';
  const by = { former: 'test', promptVersion: 'v1', embeddingModel: 'test' };
  const opinion = { text: 'Ana likes boats.', confidence: 0.6, entities: [ana], eventDate };
  const opinions = [{ ...opinion, vector }];
  const formed = log.record<MemoryEventOf<'OpinionsFormed'>>({
    type: 'OpinionsFormed',
    data: { ...agent, thoughtId: 'thought', opinions, ...by },
  });
  const revised = (change: Partial<MemoryEventOf<'OpinionRevised'>['data']>) => {
    const same = { verdict: 'raise', text: opinion.text, confidence: 0.6, vector: null, entities: null } as const;
    const data = { ...agent, unitId: id, because: 'e1', eventDate, ...same, ...by, ...change };
    return log.record<MemoryEventOf<'OpinionRevised'>>({ type: 'OpinionRevised', data });
  };
  return { log, formed, revised };
}

describe('an opinion', () => {
  it('becomes a unit of its thought, and of no document', () => {
    const { formed } = writeOpinions();
    given(formed).thenRows({
      agents: [{ agentId: 'alice' }],
      units: [{ _id: id, factType: 'opinion', operationId: 'thought', documentId: null, confidence: 0.6 }],
      goneUnits: [],
    });
  });

  it('keeps its unit when only its confidence changes', () => {
    const { formed, revised } = writeOpinions();
    given(formed, revised({ confidence: 0.9 })).thenRows({ units: [{ _id: id, confidence: 0.9 }], goneUnits: [] });
  });

  it('replaces its unit when it is reworded, and keeps its entities unless there are others', () => {
    const { formed, revised } = writeOpinions();
    given(formed, revised({ text: 'Ana likes ships.', vector })).thenRows({
      units: [{ _id: id, text: 'Ana likes ships.', words: ' ana likes ships ', entities: [ana] }],
      goneUnits: [id],
    });
  });

  it('that was forgotten is not revised', () => {
    const { log, formed, revised } = writeOpinions();
    const [forgotten, reworded] = [log.forgotten(id), revised({ text: 'Ana likes ships.', vector })];
    given(formed, forgotten, reworded).thenRows({ units: [] });
    // When it was forgotten before, the unit is not stored any more.
    given(reworded).thenRows({ units: [] });
    const stored = [...rowsAfter(formed).newUnits.values()].map(({ unit }) => unit);
    givenStored(stored, forgotten, reworded).thenRows({ units: [] });
  });
});
