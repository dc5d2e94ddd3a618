import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** Where a client connects, and with which key or token. */
export interface Endpoint {
  /** Such as `http://127.0.0.1:8080/mcp/alice`. */
  readonly url: string;
  readonly credential?: string;
}

export const program = join(import.meta.dirname, '../../packages/mcp/src/stdio.ts');
/** A program that was compiled before starts sooner. */
export const compileCache = process.env.NODE_COMPILE_CACHE
  ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  : {};
const identity = { name: 'test', version: '1.0.0' };

export async function connectHttp({ url, credential }: Endpoint): Promise<Client> {
  const headers: Record<string, string> = credential === undefined ? {} : { authorization: `Bearer ${credential}` };
  const client = new Client(identity);
  // Its optional properties are declared without `undefined`.
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as never);
  return client;
}

export async function connectStdio({ url, credential = '' }: Endpoint): Promise<Client> {
  const client = new Client(identity);
  const env = { ...getDefaultEnvironment(), ...compileCache, MNEME_API_KEY: credential };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, url], env }));
  return client;
}

export const connections = { HTTP: connectHttp, stdio: connectStdio } as const;

/** Structured content of a tool, which the client has compared with the schema of the tool. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at it field by field.
type Structured = any;

export async function callTool(client: Client, name: string, args: object = {}): Promise<Structured> {
  const result = await tryTool(client, name, args);
  if (result.isError) throw new Error(`${name}: ${textOf(result)}`);
  return result.structuredContent;
}

export async function tryTool(client: Client, name: string, args: object = {}): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
}

export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
