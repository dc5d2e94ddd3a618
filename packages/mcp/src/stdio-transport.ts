import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
  RequestIdSchema,
} from '@modelcontextprotocol/sdk/types.js';

/** The longest line, in UTF-16 code units. */
const maxLineLength = 10 * 1_024 ** 2;

/** A batch (JSON-RPC 2.0, 6), whose answers are written as one line when there are all of them. */
interface Batch {
  readonly waiting: Set<RequestId>;
  readonly answers: object[];
}

/**
 * Messages of JSON-RPC, one a line. Unlike the transport of the library it takes batches, which belong to the protocol of
 * 2025-03-26, and answers what is none of its messages.
 */
export class StdioTransport implements Transport {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #batches = new Map<RequestId, Batch>();
  #rest = '';
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.setEncoding('utf8').on('data', this.#read).on('error', this.#fail);
  }

  async close(): Promise<void> {
    this.#input.off('data', this.#read).off('error', this.#fail).pause();
    this.onclose?.();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const id = 'method' in message ? undefined : message.id;
    const batch = id === undefined ? undefined : this.#batches.get(id);
    if (id === undefined || batch === undefined) return this.#write(message);
    batch.answers.push(message);
    await this.#settle(id, batch);
  }

  readonly #fail = (error: Error) => this.onerror?.(error);

  readonly #read = (text: string) => {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') this.#receive(line);
    if (this.#rest.length <= maxLineLength) return;
    this.#fail(new Error(`A line is longer than ${maxLineLength} characters`));
    void this.close();
  };

  #receive(line: string): void {
    const value = parse(line);
    if (value === undefined) void this.#write(refusal(undefined, ErrorCode.ParseError, 'The line is not JSON'));
    else if (Array.isArray(value) && value.length > 0) this.#receiveBatch(value.map(readMessage));
    else {
      const read = readMessage(value);
      if ('message' in read) this.#take(read.message);
      else if (read.refusal) void this.#write(read.refusal);
      else this.#fail(new Error('A message that wants no answer is not one of JSON-RPC 2.0'));
    }
  }

  #receiveBatch(parts: readonly Read[]): void {
    const messages = parts.flatMap((part) => ('message' in part ? [part.message] : []));
    const requests = messages.flatMap((message) => ('method' in message && 'id' in message ? [message.id] : []));
    const answers = parts.flatMap((part) => ('message' in part ? [] : (part.refusal ?? [])));
    const batch: Batch = { waiting: new Set(requests), answers };
    for (const id of batch.waiting) this.#batches.set(id, batch);
    if (batch.waiting.size === 0 && answers.length > 0) void this.#write(answers);
    for (const message of messages) this.#take(message);
  }

  #take(message: JSONRPCMessage): void {
    this.onmessage?.(message);
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    // What is cancelled gets no answer.
    const id = message.params?.requestId as RequestId;
    const batch = this.#batches.get(id);
    if (batch) void this.#settle(id, batch);
  }

  async #settle(id: RequestId, { waiting, answers }: Batch): Promise<void> {
    this.#batches.delete(id);
    waiting.delete(id);
    if (waiting.size === 0 && answers.length > 0) await this.#write(answers);
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve) => {
      if (this.#output.write(`${JSON.stringify(message)}\n`)) resolve();
      else this.#output.once('drain', resolve);
    });
  }
}

/** @returns undefined when it is not JSON */
function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

type Read =
  | { readonly message: JSONRPCMessage }
  /** Undefined for what seems to be a notification or an answer: neither is answered. */
  | { readonly refusal: object | undefined };

function readMessage(value: unknown): Read {
  const parsed = JSONRPCMessageSchema.safeParse(value);
  if (parsed.success) return { message: parsed.data };
  const { id: given, method, result, error } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isAnswer = method === undefined && (result !== undefined || error !== undefined);
  if (isAnswer || (typeof method === 'string' && given === undefined)) return { refusal: undefined };
  const { data: id } = RequestIdSchema.safeParse(given);
  return { refusal: refusal(id, ErrorCode.InvalidRequest, 'It is not a message of JSON-RPC 2.0') };
}

/** JSON-RPC wants null for an id that is unknown. */
function refusal(id: RequestId | undefined, code: number, message: string): object {
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message } };
}
