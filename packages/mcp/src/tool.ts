import type { Agent } from '@mneme/client';
import type { CallToolResult, Tool as ToolDefinition } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type Advice, adviceFor, faultsOf } from './failures.ts';

/** What a tool works with. */
export interface ToolContext {
  /** The agent of the session. No argument of a tool names another one. */
  readonly agent: Agent;
  /** Aborted when the caller does not wait any more. */
  readonly signal: AbortSignal;
}

/** What a tool has to say: to a model as text, and to a program as an object. */
interface ToolReply<Output> {
  readonly text: string;
  readonly data: Output;
}

interface ToolParts<Input extends z.ZodObject, Output extends z.ZodObject> extends Advice {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly hints: Hints;
  readonly run: (input: z.output<Input>, context: ToolContext) => Promise<ToolReply<z.output<Output>>>;
}

/** What a client may tell its user before it calls a tool, and whether it may call it again. */
interface Hints {
  readonly readOnlyHint: boolean;
  /** Whether it removes or overwrites something. */
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
}

export const reads: Hints = { readOnlyHint: true };
export const adds: Hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
export const overwrites: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

export interface Tool {
  readonly name: string;
  readonly isReading: boolean;
  readonly definition: ToolDefinition;
  /** Never throws what concerns the caller: refusals and failures are results with `isError`. */
  call(given: unknown, context: ToolContext): Promise<CallToolResult>;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  parts: ToolParts<Input, Output>,
): Tool {
  const { name, description, input, output, hints, run, ...advice } = parts;
  return {
    name,
    isReading: hints.readOnlyHint,
    definition: {
      name,
      description,
      inputSchema: jsonSchema(input, 'input'),
      outputSchema: jsonSchema(output, 'output'),
      annotations: { ...hints },
    },
    call: async (given, context) => {
      const parsed = input.safeParse(given ?? {});
      if (!parsed.success) {
        return failure(`Invalid arguments. ${faultsOf(parsed.error)}. Correct them and call again.`);
      }
      try {
        const { text, data } = await run(parsed.data, context);
        return { content: [{ type: 'text', text }], structuredContent: data };
      } catch (error) {
        const text = adviceFor(error, advice);
        if (text === undefined) throw error;
        return failure(text);
      }
    },
  };
}

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** As short as it can be, because every session of a model starts with reading it. */
function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): ToolDefinition['inputSchema'] {
  const { $schema: _, ...short } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: part }) => {
      if (io === 'output') delete part.additionalProperties;
      // The format says it in fewer words.
      if (part.format === 'uuid') delete part.pattern;
    },
  });
  return short as ToolDefinition['inputSchema'];
}
