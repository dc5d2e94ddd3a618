import { defaultPersonality } from './schemas.ts';

/** What the examples of the memory area share: one agent, one document, one unit and what belongs to them. */
export const agent_id = 'travel-assistant';
export const document_id = 'meeting-2024-03-01';
export const unitId = '3b241101-e2bb-5255-8caf-4136c566a962';
export const otherUnitId = '9f1b6f0e-5d0a-5b3e-9c57-2a1d4b8e7f60';
export const operationId = '0192f5c4-7d7a-7000-8000-3f1d2a6b9c01';
export const time = '2024-03-01T09:30:05.120Z';
export const date = '2024-03-01T08:30:00.000Z';
export const text = 'Ana moved to Lisbon.';
export const context = 'chat about holidays';
export const entities = 'Ana (PERSON), Lisbon (PLACE)';
export const profile = { agent_id, personality: defaultPersonality, background: 'I plan journeys.' };
export const page = { total: 1, limit: 100, offset: 0 };

export const batch = {
  agent_id,
  items: [{ content: 'Ana moved to Lisbon last month.', event_date: '2024-03-01T09:30:00+01:00', context }],
  document_id,
};
export const stored = { success: true, agent_id, document_id, items_count: 1 };
export const document = {
  id: document_id,
  agent_id,
  original_text: 'Ana moved to Lisbon last month.',
  content_hash: 'e0ac3601005dfa1864f5392aabaf7d898b1b5bab854f1acb4491bcd806b76b0c',
  created_at: time,
  updated_at: time,
  memory_unit_count: 1,
};
export const operation = {
  id: operationId,
  agent_id,
  status: 'completed' as const,
  items_count: 1,
  units_created: 1,
  error_message: null,
  created_at: time,
  updated_at: time,
};
export const event = {
  stream: 'MEMORY',
  sequence: 42,
  id: '0192f5c4-7d7a-7000-8000-0000000000aa',
  type: 'FactsExtracted',
  time,
};
export const node = {
  id: unitId,
  label: text,
  type: 'world' as const,
  text,
  context,
  date,
  entities,
  color: '#4e79a7',
};
