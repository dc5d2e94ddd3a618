import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, type AnswerOptions, answerTo } from './answer.ts';
import { createReplyBook, type ReplyBook } from './model-reply.ts';
import { type ModelRequest, readModelRequest, type StandInTask } from './model-request.ts';
import { sendAnswer, sendError } from './send.ts';

export interface ModelServerOptions extends AnswerOptions {
  /** Delay of every response; 0 by default. */
  readonly latencyMs?: number;
  /** Whether requests are kept in `requests`; true by default. A benchmark may have too many. */
  readonly keepsRequests?: boolean;
}

/** An OpenAI-compatible model server for tests and benchmarks, on a free local port. */
export interface ModelServer {
  /** For `LLM_BASE_URL` and any other client of the protocol: `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  /** All requests so far, in order of arrival. */
  readonly requests: readonly ModelRequest[];
  /** Replies that replace the server's default answers. */
  readonly replies: Pick<ReplyBook, 'always' | 'next' | 'clear'>;
  /** @returns the number of requests, of a task or of all */
  calls(task?: StandInTask): number;
  /** @returns the largest number of concurrent requests */
  peak(): number;
  /** Resets replies, requests and counts. */
  reset(): void;
  /** Stops at once and aborts running requests. */
  stop(): Promise<void>;
}

const longestBody = 64 * 1024 * 1024;

/** Starts a model server that gives valid default answers unless other replies are set. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const replies = createReplyBook();
  const ledger = createLedger(options.keepsRequests ?? true);
  const server = createServer((incoming, response) => {
    serve(incoming, response, { options, replies, ledger }).catch((error: unknown) => {
      if (!response.headersSent) sendError(response, 500, String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: ledger.requests,
    replies,
    calls: ledger.calls,
    peak: ledger.peak,
    reset: () => {
      replies.clear();
      ledger.clear();
    },
    stop: () => close(server),
  };
}

interface Parts {
  readonly options: ModelServerOptions;
  readonly replies: ReplyBook;
  readonly ledger: Ledger;
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  { options, replies, ledger }: Parts,
): Promise<void> {
  const path = incoming.url?.split('?')[0] ?? '';
  const request = readModelRequest(path, incoming.headers, await readBody(incoming));
  const leave = ledger.enter(request);
  response.once('close', leave);
  if (options.latencyMs !== undefined) await delay(options.latencyMs);
  const answer = await answerTo(request, options, replies);
  // A client that has the answer may send its next request before the server sees the end of this one.
  if (!isEndless(answer)) leave();
  sendAnswer(response, answer);
}

function isEndless(answer: Answer): boolean {
  return 'fault' in answer && answer.fault.startsWith('stall');
}

async function readBody(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of incoming) {
    length += part.length;
    if (length > longestBody) throw new Error('The request is too long');
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString('utf8') || '{}');
}

type Ledger = ReturnType<typeof createLedger>;

function createLedger(keepsRequests: boolean) {
  const requests: ModelRequest[] = [];
  const counts = new Map<StandInTask, number>();
  let running = 0;
  let peak = 0;
  return {
    requests,
    enter: (request: ModelRequest) => {
      if (keepsRequests) requests.push(request);
      counts.set(request.task, (counts.get(request.task) ?? 0) + 1);
      running += 1;
      peak = Math.max(peak, running);
      let isUnderWay = true;
      return () => {
        if (isUnderWay) running -= 1;
        isUnderWay = false;
      };
    },
    calls: (task?: StandInTask) =>
      task === undefined ? [...counts.values()].reduce((sum, count) => sum + count, 0) : (counts.get(task) ?? 0),
    peak: () => peak,
    clear: () => {
      requests.length = 0;
      counts.clear();
      peak = running;
    },
  };
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
