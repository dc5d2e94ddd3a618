import { MnemeError, recalledLine } from '@mneme/client';
import { z } from 'zod';
import { memorySchema } from '../quotation.ts';
import { adds, defineTool, overwrites } from '../tool.ts';
import { ifNoMemory, ownMemory, unitId } from './own-memory.ts';

const maxWaitSeconds = 50;
/** The most new memories that are shown: a model has just written the text, and a long one would be its whole context again. */
const maxShown = 20;

/** In the path of a request a dot or two are a step, so that such a document could be neither read nor deleted. */
const documentId = z
  .string()
  .min(1)
  .refine((id) => id !== '.' && id !== '..', { error: ({ input }) => `a document cannot be called "${input}"` });

const rememberOutput = z.object({
  status: z.enum(['stored', 'pending']),
  memories: z.array(memorySchema.pick({ id: true, text: true, type: true })),
  total: z.number().optional(),
  operation_id: z.string().optional(),
});
type Remembered = z.output<typeof rememberOutput>;

export const remember = defineTool({
  name: 'remember',
  description:
    'Store what is worth knowing in later sessions: facts, decisions, preferences. Write full sentences with names, not "he" or "this".',
  input: z.strictObject({
    content: z.string().trim().min(1),
    context: z.string().optional().describe('where it comes from'),
    event_date: z.string().optional().describe('ISO 8601; default: now'),
    document_id: documentId.optional().describe('document to append to'),
    wait_seconds: z.int().min(0).max(maxWaitSeconds).default(20),
  }),
  output: rememberOutput,
  hints: adds,
  ifUnanswered: 'It may have been stored all the same: look with recall before you store it again.',
  run: async ({ content, context, event_date, document_id, wait_seconds }, { agent, signal }) => {
    const document = { documentId: document_id, ...(document_id && { mode: 'append' as const }) };
    const item = { content, context, eventDate: event_date };
    try {
      const stored = await agent.remember(item, { ...document, waitSeconds: wait_seconds, signal });
      const memories = 'items' in stored ? stored.items.flatMap(({ units }) => units) : [];
      return describe({ status: 'stored', memories: memories.slice(0, maxShown), total: memories.length });
    } catch (error) {
      return describe({ status: 'pending', memories: [], operation_id: operationOf(error) });
    }
  },
});

/** @throws what was caught, unless the server goes on with the batch */
function operationOf(error: unknown): string {
  const { operation_id } = error instanceof MnemeError && error.status === 504 ? (error.body as Named) : {};
  if (operation_id === undefined) throw error;
  return operation_id;
}

interface Named {
  readonly operation_id?: string;
}

function describe(data: Remembered) {
  if (data.status === 'pending') {
    const text = `Accepted and safely recorded, but it cannot be found yet. Do not store it again. Operation: ${data.operation_id}`;
    return { text, data };
  }
  const { memories, total = 0 } = data;
  if (total === 0) return { text: 'Stored; it repeats what was known.', data };
  const lines = memories.map(({ id, text }) => `- ${text} (id ${id})`);
  const others = total - memories.length;
  const rest = others === 0 ? [] : [`and ${others} more, which list_memories and recall find.`];
  return { text: ['Stored:', ...lines, ...rest].join('\n'), data };
}

export const correctMemory = defineTool({
  name: 'correct_memory',
  description: 'Replace the text of a memory that is wrong or out of date.',
  input: z.strictObject({
    id: unitId,
    text: z
      .string()
      .trim()
      .min(1)
      .describe('the whole new text; `&amp;`, `&lt;`, `&gt;` in shown memories stand for characters'),
    expected_text: z.string().optional().describe('fail if the present text differs'),
  }),
  output: memorySchema.pick({ id: true, text: true }),
  hints: overwrites,
  ifMissing: ifNoMemory,
  run: async ({ id, text, expected_text }, context) => {
    const memory = await ownMemory(id, context);
    const expected = expected_text === undefined ? {} : { expectedText: unshown(expected_text, memory.text) };
    await context.agent.memories.update(memory.id, { text, ...expected }, { signal: context.signal });
    return { text: `Corrected memory ${memory.id}.`, data: { id: memory.id, text } };
  },
});

/** The present text itself, if what is expected is how tools show it, or differs only in white space. */
function unshown(expected: string, present: string): string {
  return [expected, recalledLine(expected)].includes(recalledLine(present)) ? present : expected;
}

export const forget = defineTool({
  name: 'forget',
  description: 'Delete one memory for good. Only when the user wants it.',
  input: z.strictObject({ id: unitId }),
  output: z.object({ id: z.string() }),
  hints: overwrites,
  ifMissing: ifNoMemory,
  run: async ({ id }, context) => {
    const memory = await ownMemory(id, context);
    await context.agent.memories.delete(memory.id, { signal: context.signal });
    return { text: `Forgot memory ${memory.id}.`, data: { id: memory.id } };
  },
});
