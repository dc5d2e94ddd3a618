import { z } from 'zod';
import { ToolError } from '../failures.ts';
import { notice, noticed, quoteText } from '../quotation.ts';
import { adds, defineTool, overwrites, reads, type ToolContext } from '../tool.ts';

const operationId = z.uuid('must be the id of an operation');
/** What a model is told to do if there is no operation with an id. */
const ifNoOperation = 'Ids come from remember and list_operations; it may have been cancelled.';
const trait = z.number().min(0).max(1).optional();

const operation = z.object({
  id: z.string(),
  status: z.string(),
  items_count: z.number(),
  error_message: z.string().nullable(),
  created_at: z.string(),
});

export const listOperations = defineTool({
  name: 'list_operations',
  description: 'Batches that are pending or failed, the oldest first.',
  input: z.strictObject({}),
  output: z.object({ operations: z.array(operation) }),
  hints: reads,
  run: async (_input, { agent, signal }) => {
    const operations = (await agent.operations.list({ signal })).map((each) => operation.parse(each));
    const lines = operations.map(lineOf);
    return { text: lines.length === 0 ? 'Nothing is pending or failed.' : lines.join('\n'), data: { operations } };
  },
});

export const getOperation = defineTool({
  name: 'get_operation',
  description: 'The status of one operation.',
  input: z.strictObject({ id: operationId }),
  output: operation,
  hints: reads,
  ifMissing: ifNoOperation,
  run: async ({ id }, context) => {
    const data = operation.parse(await ownOperation(id, context));
    return { text: lineOf(data), data };
  },
});

export const retryOperation = defineTool({
  name: 'retry_operation',
  description: 'Make a failed operation pending again.',
  input: z.strictObject({ id: operationId }),
  output: operation,
  hints: adds,
  ifMissing: ifNoOperation,
  run: async ({ id }, context) => {
    await ownOperation(id, context);
    const data = operation.parse(await context.agent.operations.retry(id, { signal: context.signal }));
    return { text: lineOf(data), data };
  },
});

export const cancelOperation = defineTool({
  name: 'cancel_operation',
  description: 'Cancel a pending operation, or dismiss a failed one.',
  input: z.strictObject({ id: operationId }),
  output: z.object({ id: z.string() }),
  hints: overwrites,
  ifMissing: ifNoOperation,
  run: async ({ id }, context) => {
    await ownOperation(id, context);
    await context.agent.operations.cancel(id, { signal: context.signal });
    return { text: `Cancelled operation ${id}.`, data: { id } };
  },
});

function lineOf({ id, status, items_count, error_message }: z.output<typeof operation>): string {
  return `${id}: ${status}, ${items_count} items${error_message ? `, ${error_message.replace(/\s+/g, ' ')}` : ''}`;
}

/** For the same reason as `ownMemory`. @throws ToolError for an operation of another agent, as if there were none */
async function ownOperation(id: string, { agent, signal }: ToolContext) {
  const found = await agent.operations.get(id, { signal });
  if (found.agent_id === agent.id) return found;
  throw new ToolError(`Operation ${id} not found. ${ifNoOperation}`);
}

const traits = {
  openness: trait,
  conscientiousness: trait,
  extraversion: trait,
  agreeableness: trait,
  neuroticism: trait,
  bias_strength: trait,
};
const profile = z.object({
  ...notice,
  agent_id: z.string(),
  background: z.string(),
  personality: z.record(z.string(), z.number()),
});

export const getProfile = defineTool({
  name: 'get_profile',
  description: 'The background and personality of the agent.',
  input: z.strictObject({}),
  output: profile,
  hints: reads,
  run: async (_input, { agent, signal }) => shownProfile(await agent.profile.get({ signal })),
});

export const updateProfile = defineTool({
  name: 'update_profile',
  description: 'Replace the background, or traits of the personality (0 to 1).',
  input: z.strictObject({ background: z.string().optional(), personality: z.strictObject(traits).optional() }),
  output: profile,
  hints: overwrites,
  run: async ({ background, personality }, { agent, signal }) => {
    const present = personality && (await agent.profile.get({ signal })).personality;
    const changes = {
      ...(background !== undefined && { background }),
      ...(present && { personality: { ...present, ...given(personality) } }),
    };
    return shownProfile(await agent.profile.update(changes, { signal }));
  },
});

function given<T extends object>(fields: T) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

function shownProfile({ agent_id, background, personality }: Omit<z.output<typeof profile>, 'notice'>) {
  const text = `Personality: ${JSON.stringify(personality)}\nBackground:\n${quoteText(background)}`;
  return { text, data: { ...noticed, agent_id, background, personality: { ...personality } } };
}

export const eraseAgent = defineTool({
  name: 'erase_agent',
  description:
    'Erase the agent with everything it ever stored, for good. Only when the user has asked for exactly this.',
  input: z.strictObject({ confirm_agent_id: z.string().describe('the id of the agent, typed by the user') }),
  output: z.object({ agent_id: z.string(), memories_deleted: z.number() }),
  hints: overwrites,
  run: async ({ confirm_agent_id }, { agent, signal }) => {
    if (confirm_agent_id !== agent.id) {
      throw new ToolError('confirm_agent_id is not the id of this agent; nothing was erased. Ask the user to type it.');
    }
    const { memory_units_deleted } = await agent.erase({ signal });
    const text = `Erased the agent and its ${memory_units_deleted} memories.`;
    return { text, data: { agent_id: agent.id, memories_deleted: memory_units_deleted } };
  },
});
