import type { Agent } from '@mneme/client';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  type PaginatedRequest,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { CheckedServer } from './checked-server.ts';
import { invalidCursor, listResources, readResource, resourceTemplates } from './resources.ts';
import { describeSession, guidance, startSession } from './start-session.ts';
import type { Tool, ToolContext } from './tool.ts';
import * as administration from './tools/administration.ts';
import { getDocument, getMemory, listMemories, recall, think } from './tools/recalling.ts';
import { correctMemory, forget, remember } from './tools/storing.ts';

export interface McpServerOptions {
  /** The agent of the session. */
  readonly agent: Agent;
  /** Adds operations, profile and erasure to the tools. */
  readonly isAdmin: boolean;
  /** False: tools of administration that change something are left out. */
  readonly mayWrite: boolean;
  /** Called with unexpected errors; callers do not see them. */
  readonly onError: (error: unknown) => void;
}

export const standardTools: readonly Tool[] = [
  remember,
  recall,
  think,
  listMemories,
  getMemory,
  correctMemory,
  forget,
  getDocument,
];
const adminTools: readonly Tool[] = Object.values(administration);

const capabilities = { tools: {}, resources: {}, prompts: {} };
/** One for all servers: each would compile its own, and none of ours uses it. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();
/** That of the package. */
export const version = '0.1.0';

/** An MCP server for one agent, to be connected to a transport. It keeps nothing between requests. */
export function createMcpServer(options: McpServerOptions): Server {
  const { agent, isAdmin, mayWrite, onError } = options;
  const offered = [...standardTools, ...(isAdmin ? adminTools.filter((tool) => tool.isReading || mayWrite) : [])];
  const server = new CheckedServer(
    { name: 'mneme', title: 'Mneme memory', version },
    { capabilities, instructions: guidance, jsonSchemaValidator },
  );
  const whole = <Result>({ params }: PaginatedRequest, result: Result): Result => {
    if (params?.cursor === undefined) return result;
    throw invalidCursor();
  };
  const tools = offered.map(({ definition }) => definition);
  server.setRequestHandler(ListToolsRequestSchema, (request) => whole(request, { tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    const tool = offered.find(({ name }) => name === params.name);
    if (tool) return callTool(tool, params.arguments, { agent, signal }, onError);
    throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`);
  });
  const guard = <Result>(signal: AbortSignal, work: Promise<Result>) => hideFaults(work, signal, onError);
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }, { signal }) =>
    guard(signal, listResources(agent, params?.cursor, signal)),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, (request) => whole(request, { resourceTemplates }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
    guard(signal, readResource(agent, params.uri, signal)),
  );
  server.setRequestHandler(ListPromptsRequestSchema, (request) => whole(request, { prompts: [startSession] }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }, { signal }) => {
    if (params.name !== startSession.name) {
      throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${params.name}`);
    }
    return guard(signal, describeSession(agent, params.arguments?.topic?.trim() ?? '', signal));
  });
  return server;
}

const fault = 'Something went wrong in the server; it has been logged';

async function callTool(tool: Tool, given: unknown, context: ToolContext, onError: McpServerOptions['onError']) {
  try {
    return await tool.call(given, context);
  } catch (error) {
    if (!context.signal.aborted) onError(error);
    return { content: [{ type: 'text' as const, text: `${fault}.` }], isError: true };
  }
}

async function hideFaults<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  onError: McpServerOptions['onError'],
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof McpError) throw error;
    if (!signal.aborted) onError(error);
    throw new McpError(ErrorCode.InternalError, fault);
  }
}
