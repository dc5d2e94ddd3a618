import type { Connection } from './connection.ts';
import { isWorthRepeating, MnemeError } from './error.ts';
import type { RequestOptions } from './request.ts';
import { retryDelayMs, sleep } from './retry.ts';
import { parseEvents } from './server-sent-events.ts';
import { followSignal } from './signals.ts';

/** The server sends a comment every 15 s; a stream that is silent for longer than this is dead. In milliseconds. */
const maxSilenceMs = 45_000;

export interface FollowOptions {
  /** The stream starts after this event. */
  readonly lastEventId: string;
  /**
   * Called with `undefined` when the stream is opened, and with the reason when it breaks or cannot be opened again. It is
   * then tried again. If the server ends the stream, for example to restart, it is opened again without a call.
   */
  readonly onConnection?: ((error: MnemeError | undefined) => void) | undefined;
}

/**
 * The data of server-sent events, across broken connections: none is missing, none comes twice. It goes on until the
 * caller stops reading, the signal is aborted, or the server refuses.
 *
 * @throws MnemeError when the server refuses, or cannot be reached at the beginning
 */
export async function* follow<Data>(
  connection: Connection,
  path: string,
  { lastEventId, onConnection }: FollowOptions,
  options: RequestOptions,
): AsyncGenerator<Data, void, undefined> {
  const { signal } = options;
  let last = lastEventId;
  let pauseMs = 0;
  let hasOpened = false;
  for (let failures = 0; ; failures += 1) {
    let retryAfter: number | undefined;
    try {
      for await (const part of read(connection, path, { last, hasOpened }, options)) {
        if (!hasOpened || failures > 0) onConnection?.(undefined);
        hasOpened = true;
        failures = 0;
        if (part === 'alive') continue;
        if ('retryMs' in part) {
          pauseMs = part.retryMs;
          continue;
        }
        last = part.id ?? last;
        yield JSON.parse(part.data);
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!hasOpened || !isWorthRepeating(error)) throw error;
      onConnection?.(error);
      retryAfter = error.retryAfter;
    }
    await sleep(pauseMs + retryDelayMs(failures, retryAfter), signal);
  }
}

interface Reading {
  readonly last: string;
  readonly hasOpened: boolean;
}

/** What one connection says, to its end. Later ones are tried once, since the caller repeats them without end. */
async function* read(connection: Connection, path: string, { last, hasOpened }: Reading, options: RequestOptions) {
  const headers = { accept: 'text/event-stream', 'last-event-id': last };
  const own = followSignal(options.signal);
  try {
    const how = { headers, ...(hasOpened && { retries: 0 }) };
    const response = await connection.open(path, how, { ...options, signal: own.signal });
    yield 'alive' as const;
    if (response.body) yield* parseEvents(textOf(response.body));
  } finally {
    own.unfollow();
  }
}

/** @throws MnemeError when the connection breaks or is silent */
async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await unlessSilent(reader.read());
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } catch (cause) {
    throw new MnemeError({ status: 0, code: 'NETWORK_ERROR', detail: 'The stream broke off', cause });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function unlessSilent<Result>(reading: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Nothing came for ${maxSilenceMs} ms`)), maxSilenceMs);
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(timer);
  }
}
