import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { faultsOf } from './failures.ts';

const requests = [
  InitializeRequestSchema,
  ListToolsRequestSchema,
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  ListPromptsRequestSchema,
  GetPromptRequestSchema,
];
const requestOf = new Map<string, (typeof requests)[number]>(
  requests.map((request) => [request.shape.method.value, request]),
);

/** Refuses requests with invalid parameters, which the library takes for faults of the server. */
export class CheckedServer extends Server {
  override async connect(transport: Transport): Promise<void> {
    await super.connect(transport);
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      const refusal = refusalOf(message);
      if (refusal === undefined) onmessage?.(message, extra);
      else transport.send(refusal).catch((error: Error) => this.onerror?.(error));
    };
  }
}

function refusalOf(message: JSONRPCMessage): JSONRPCErrorResponse | undefined {
  if (!('method' in message && 'id' in message)) return undefined;
  const { id, method } = message;
  const parsed = requestOf.get(method)?.safeParse(message);
  if (parsed === undefined || parsed.success) return undefined;
  const error = { code: ErrorCode.InvalidParams, message: `Invalid parameters: ${faultsOf(parsed.error)}` };
  return { jsonrpc: '2.0', id, error };
}
