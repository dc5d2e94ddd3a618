import { z } from 'zod';
import { component } from '../http/component.ts';
import {
  agentId,
  agentOfList,
  dateTime,
  documentId,
  faultType,
  maxAgentIdLength,
  maxBackgroundBytes,
  maxContextBytes,
  newAgentId,
  newDocumentId,
  page,
  queryBoolean,
  queryInteger,
  text,
  textOfBytes,
} from '../http/fields.ts';
import { metadata } from './metadata.ts';
import { documentModes, factTypeSchema, itemRoles, maxBatchItems, personalitySchema } from './schemas.ts';

const contentSchema = text
  .refine((value) => value.trim() !== '', {
    error: 'Value error, content must have a non-blank character',
    ...faultType('value_error'),
  })
  .meta({ description: 'Text to remember, as plain text', example: 'Ana moved to Lisbon last month.' });

const memoryItemSchema = component('MemoryItem', {
  content: contentSchema,
  event_date: dateTime.nullish().meta({
    description:
      'When it was said or happened; relative dates in the text, such as "yesterday", are counted from it. Default: now.',
    example: '2024-03-01T09:30:00+01:00',
  }),
  context: textOfBytes(maxContextBytes)
    .nullish()
    .meta({ description: 'Origin of the item, at most 16 KiB in UTF-8', example: 'chat about holidays' }),
  role: z
    .enum(itemRoles)
    .nullish()
    .meta({
      description:
        'Who says it. Only what the `assistant` says can become experiences (`agent`) and opinions of the agent. Default: ' +
        'the text decides, by prefixes such as `assistant:`.',
    }),
  metadata: metadata.nullish(),
  extract: z
    .boolean()
    .default(true)
    .meta({
      description:
        'False: no memory units are made of the item, and only the text of its document has it. For data that a program ' +
        'reads back, such as JSON.',
    }),
});

export const batchPutSchema = z
  .object({
    agent_id: newAgentId,
    items: z.array(memoryItemSchema).max(maxBatchItems),
    document_id: newDocumentId
      .nullish()
      .meta({ description: 'Document made up of the items, not `.` or `..`. See `mode`.' }),
    mode: z
      .enum(documentModes)
      .default('replace')
      .meta({
        description:
          '`replace`: the items are the new version of the document. `append`: the items are added at its end, in the order ' +
          'in which batches are accepted, and what it has stays; a document that does not exist is created.',
      }),
  })
  .refine(({ mode, document_id }) => mode !== 'append' || typeof document_id === 'string', {
    error: "Mode 'append' needs a document_id: name the document to which the items are added",
    path: ['mode'],
    ...faultType('value_error'),
  })
  .meta({ id: 'BatchPutRequest' });
export type BatchPut = z.output<typeof batchPutSchema>;

/** The longest text that a unit can be corrected to, in bytes of UTF-8: a unit is one fact. */
const maxUnitTextBytes = 8 * 1_024;

export const correctUnitSchema = component('CorrectMemoryUnitRequest', {
  text: textOfBytes(maxUnitTextBytes)
    .refine((value) => value.trim() !== '', {
      error: 'Value error, text must have a non-blank character',
      ...faultType('value_error'),
    })
    .meta({ description: 'The correct text, at most 8 KiB in UTF-8', example: 'Ana moved to Porto.' }),
  expected_text: text.nullish().meta({
    description:
      'The text that the unit has now. If it has another one, the response is 409 and nothing changes. Default: any.',
    example: 'Ana moved to Lisbon.',
  }),
});

export const putProfileSchema = component('UpdatePersonalityRequest', { personality: personalitySchema });

export const putAgentSchema = component('CreateAgentRequest', {
  personality: personalitySchema.nullish().meta({ description: 'Kept if null or omitted' }),
  background: textOfBytes(maxBackgroundBytes)
    .nullish()
    .meta({ description: 'Description of the agent, at most 64 KiB in UTF-8. Kept if null or omitted.' }),
});

const words = text.optional();

export const listUnitsQuery = z.object({
  agent_id: agentOfList,
  fact_type: factTypeSchema.optional().meta({ description: 'Only units of this type' }),
  q: words.meta({
    description:
      'Words that the text or context must contain, ignoring case and accents. Only the first words of a long context are ' +
      'searched, and only the first 64 characters of a word are compared. A `q` without a letter or digit matches nothing.',
  }),
  document_id: documentId.optional().meta({ description: 'Only units of this document, in their order in it' }),
  ...page,
});

export const listDocumentsQuery = z.object({
  agent_id: agentId,
  q: words.meta({ description: 'Part of the document id, ignoring case' }),
  ...page,
});

export const documentQuery = z.object({ agent_id: agentId });
export const getDocumentQuery = documentQuery.extend({
  text: queryBoolean(true, 'Whether to return the text; `false` is for large documents, of which you need the hash'),
});

/** The largest page of agents. */
const maxAgentsPerPage = 1_000;
/** The same where the units of each are counted. */
export const maxCountedAgents = 100;

export const listAgentsQuery = z.object({
  limit: queryInteger({ min: 1, max: maxAgentsPerPage, default: 100, description: 'Maximum number of agents' }),
  cursor: z.string().max(1_024).optional().meta({
    description: 'The `next_cursor` of the preceding page, with the same `prefix` and `q`. Default: the first page.',
  }),
  prefix: text
    .max(2 * maxAgentIdLength)
    .optional()
    .meta({ description: 'Only agents whose `agent_id` starts with this text (case-sensitive)' }),
  q: text
    .max(2 * maxAgentIdLength)
    .optional()
    .meta({ description: 'Only agents whose `agent_id` contains this text, ignoring case' }),
  counts: queryBoolean(
    false,
    `Whether to count the memory units and documents of each agent; a page then has at most ${maxCountedAgents} agents`,
  ),
});
