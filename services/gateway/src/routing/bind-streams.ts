import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Route, RouteInput } from '@mneme/contracts';
import type { Logger } from '@mneme/service-kit';
import { Counts } from '@mneme/workers/counts';
import type { Express, Request, Response } from 'express';
import { admitCaller, assertStillUser } from '../auth/admission.ts';
import { callerOf, type UserCaller } from '../auth/caller.ts';
import { CallerGoneError, tooManyRequests } from '../errors.ts';
import { inputParser } from '../http/input/parse-input.ts';
import { ignoredFieldsHeader } from '../http/input/unknown-fields.ts';
import { markRoute, type RunningRequests } from '../http/request.ts';
import type { Attempt } from '../idempotency/idempotency.ts';
import { type BindingDeps, expressPath, readScope } from './bind-routes.ts';
import type { RequestScope } from './http-endpoint.ts';

/** How many streams one user may have open at a gateway. */
const maxStreamsPerUser = 10;
/** When a caller may try again, in seconds. */
const retryAfterSeconds = 5;

/** An answer that is written in chunks, as fast as the caller reads it. */
export interface OutgoingStream {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: AsyncIterable<string>;
}

export interface StreamScope extends Omit<RequestScope<UserCaller>, 'bodyBytes' | keyof Attempt> {
  /** The last event that a reconnecting caller has seen. */
  readonly lastEventId: string | undefined;
  /** @throws WireError 401 or 403 once the credential has ended, 503 while it cannot be verified */
  assertAdmitted(): Promise<void>;
}

export interface StreamBinding {
  readonly route: Route;
  /** Errors of `open` are answered like those of any route; errors of the chunks end the connection. */
  readonly open: (input: never, scope: StreamScope) => Promise<OutgoingStream>;
  /** Whether it goes on for as long as its caller wants; then it ends at once when the gateway stops. */
  readonly isEndless: boolean;
}

/** Binds the function that opens a stream to its route. */
export function defineStream<R extends Route>(
  route: R,
  open: (input: RouteInput<R>, scope: StreamScope) => Promise<OutgoingStream>,
  { isEndless = false } = {},
): StreamBinding {
  return { route, open: open as StreamBinding['open'], isEndless };
}

/** Routes that answer with streams, and whose positions refer to one stream of the event log. */
export interface StreamArea {
  readonly bindings: readonly StreamBinding[];
  readonly stream: string;
}

export interface StreamDeps extends Pick<BindingDeps, 'logger' | 'admission' | 'running' | 'positions'> {
  /** The streams that go on for as long as their callers want. */
  readonly endless: RunningRequests;
}

/** Lets Express answer routes for users with streams. */
export function bindStreams(app: Express, area: StreamArea, deps: StreamDeps): void {
  const streamCounts = new StreamCounts();
  for (const { route, open, isEndless } of area.bindings) {
    const admit = admitCaller(route, deps.admission);
    const parse = inputParser(route);
    const running = isEndless ? deps.endless : deps.running;
    app.get(expressPath(route.path), markRoute(route.path), admit, async (request: Request, response: Response) => {
      const input = parse(request, undefined, undefined);
      const caller = callerOf(response) as UserCaller;
      const read = await readScope({ request, response, route }, { ...deps, running, stream: area.stream });
      const leave = streamCounts.enter(caller.userId);
      try {
        const assertAdmitted = () => assertStillUser(request, deps.admission);
        const scope = { ...read, caller, lastEventId: request.get('last-event-id'), assertAdmitted };
        const { headers, chunks } = await open(input as never, scope);
        const outgoing = { headers: { ...headers, ...ignoredFieldsHeader(input.ignored) }, chunks };
        await write(response, outgoing, { ...scope, isHead: request.method === 'HEAD', logger: deps.logger });
      } finally {
        leave();
      }
    });
  }
}

async function write(
  response: Response,
  { headers, chunks }: OutgoingStream,
  { isHead, requestId, logger }: { isHead: boolean; requestId: string; logger: Logger },
): Promise<void> {
  if (response.destroyed) return;
  response.writeHead(200, headers);
  if (isHead) {
    response.end();
    return;
  }
  // Those who log, measure and trace the request wait for the end of the response as well: more than Node takes for usual.
  response.setMaxListeners(2 * response.getMaxListeners());
  try {
    await pipeline(Readable.from(chunks), response);
  } catch (error) {
    // The answer has begun; ending the connection shows the caller that it is incomplete.
    if (error instanceof CallerGoneError || isPrematureClose(error)) return;
    logger.error({ err: error, requestId }, 'An answer was cut off');
  }
}

function isPrematureClose(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Limits the streams of one user, so that none can occupy all connections and requests of a gateway. */
class StreamCounts {
  readonly #open = new Counts<number>();

  /**
   * Counts one more stream of a user.
   * @returns the function to call when the stream ends
   * @throws WireError 429 when the user has too many open streams
   */
  enter(userId: number): () => void {
    const open = this.#open.of(userId);
    if (open >= maxStreamsPerUser) {
      throw tooManyRequests(`You have ${open} streams open; end one of them first`, retryAfterSeconds);
    }
    this.#open.add(userId, 1);
    return () => void this.#open.add(userId, -1);
  }
}
