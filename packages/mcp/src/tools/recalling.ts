import { z } from 'zod';
import { memorySchema, notice, noticed, quoteMemories, quoteText, type ShownMemory, shown } from '../quotation.ts';
import { defineTool, reads } from '../tool.ts';
import { ifNoMemory, ownMemory, unitId } from './own-memory.ts';

const query = z.string().trim().min(1);
const date = z.string().optional();
const type = z.enum(['world', 'agent', 'opinion']).optional();
const memories = { ...notice, memories: z.array(memorySchema) };

/** A search leaves out what it takes for another subject, so that no result does not mean that nothing is stored. */
const nothingFound =
  'Nothing that is stored seems to answer this. To be sure, use other words, or list_memories with q for a single word.';

export const recall = defineTool({
  name: 'recall',
  description:
    'Search memory by meaning and words. Use it before answering anything that earlier sessions may have touched.',
  input: z.strictObject({
    query,
    limit: z.int().min(1).max(100).default(10),
    since: date.describe('ISO 8601'),
    until: date,
    document_id: z.string().optional(),
  }),
  output: z.object(memories),
  hints: reads,
  run: async ({ query, limit, since, until, document_id }, { agent, signal }) => {
    const { results } = await agent.recall(query, { limit, since, until, documentId: document_id, signal });
    return listed(results.map(shown), nothingFound);
  },
});

function listed(found: readonly ShownMemory[], ifNone: string) {
  const text = found.length === 0 ? ifNone : quoteMemories(found);
  return { text, data: { ...noticed, memories: [...found] } };
}

export const think = defineTool({
  name: 'think',
  description: 'Answer a question from memory, with the facts it is based on. Nothing is stored.',
  input: z.strictObject({ query, context: z.string().optional().describe('what else to consider') }),
  output: z.object({ ...notice, answer: z.string(), based_on: memories.memories }),
  hints: reads,
  run: async ({ query, context }, { agent, signal }) => {
    const { text: answer, based_on } = await agent.think(query, { context, store: false, signal });
    const facts = based_on.map(shown);
    const text = [quoteText(answer), ...(facts.length === 0 ? [] : ['', 'Based on:', quoteMemories(facts)])].join('\n');
    return { text, data: { ...noticed, answer, based_on: facts } };
  },
});

export const listMemories = defineTool({
  name: 'list_memories',
  description: 'List memories, newest first.',
  input: z.strictObject({
    q: z.string().optional().describe('words they must contain'),
    type,
    limit: z.int().min(1).max(100).default(20),
    offset: z.int().min(0).max(1_000_000_000).default(0),
  }),
  output: z.object({ ...memories, total: z.number(), next_offset: z.number().optional() }),
  hints: reads,
  run: async ({ q, type, limit, offset }, { agent, signal }) => {
    const { items, total } = await agent.memories.page({ q, type, limit, offset, signal });
    const { text, data } = listed(items.map(shown), 'There are none.');
    const next = offset + items.length;
    const isLast = items.length === 0 || next >= total;
    const count = `${total} in all${isLast ? '' : `; continue with offset ${next}`}.`;
    return { text: `${text}\n${count}`, data: { ...data, total, ...(!isLast && { next_offset: next }) } };
  },
});

/** The most links of a memory that are shown. */
const maxLinks = 10;

export const getMemory = defineTool({
  name: 'get_memory',
  description: 'One memory with its origin, former texts and links.',
  input: z.strictObject({ id: unitId }),
  output: z.object({
    ...notice,
    memory: memorySchema,
    origin: z.looseObject({}).optional(),
    history: z.array(z.looseObject({})),
    links: z.array(z.looseObject({})),
  }),
  hints: reads,
  ifMissing: ifNoMemory,
  run: async ({ id }, context) => {
    const unit = await ownMemory(id, context);
    const memory = shown({ ...unit, document_id: unit.document?.id ?? null });
    const history = unit.history.map(({ text, until }) => ({ text, until }));
    const links = unit.links.slice(0, maxLinks).map(({ type, unit: linked }) => ({ type, ...linked }));
    const lines = [
      ...history.map((former) => `until ${former.until}: ${former.text}`),
      ...links.map((link) => `${link.type} link: ${link.text} (id ${link.id})`),
      ...(unit.origin ? [`stored ${unit.origin.event.time}`] : []),
    ];
    const text = [
      quoteMemories([memory]),
      ...(lines.length === 0 ? [] : ['More about it:', quoteText(lines.join('\n'))]),
    ];
    const origin = unit.origin ? { origin: unit.origin } : {};
    return { text: text.join('\n'), data: { ...noticed, memory, ...origin, history, links } };
  },
});

/** The most of a document that one call returns, in UTF-16 code units: about 8,000 tokens of English. */
const maxTextLength = 32_000;

export const getDocument = defineTool({
  name: 'get_document',
  description: 'The original text of a document.',
  input: z.strictObject({
    id: z.string().min(1),
    offset: z.int().min(0).max(1_000_000_000).default(0).describe('characters to skip'),
  }),
  output: z.object({
    ...notice,
    id: z.string(),
    text: z.string(),
    total: z.number(),
    next_offset: z.number().optional(),
  }),
  hints: reads,
  ifMissing: 'The document_id of memories, as recall shows it, is the id of their document; it may have been deleted.',
  run: async ({ id, offset }, { agent, signal }) => {
    const { original_text: whole } = await agent.documents.get(id, { signal });
    const end = endOfPart(whole, offset);
    const part = whole.slice(offset, end);
    const more = end < whole.length ? { next_offset: end } : {};
    const data = { ...noticed, id, text: part, total: whole.length, ...more };
    if (part === '')
      return { text: `There is nothing from offset ${offset} on; it has ${whole.length} characters.`, data };
    const count = `Characters ${offset} to ${end} of ${whole.length}.`;
    return {
      text: `${quoteText(part)}\n\n${count}${'next_offset' in more ? ` Continue with offset ${end}.` : ''}`,
      data,
    };
  },
});

/** Not between the two halves of a character. */
function endOfPart(text: string, offset: number): number {
  const end = Math.max(offset, Math.min(text.length, offset + maxTextLength));
  const code = text.charCodeAt(end - 1);
  const isHalf = end < text.length && code >= 0xd800 && code <= 0xdbff;
  return isHalf ? end - 1 : end;
}
