import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Route, RouteInput } from '@mneme/contracts';
import type { Logger } from '@mneme/service-kit';
import type { Express, Request, Response } from 'express';
import { type AdmissionDeps, admitCaller } from '../auth/admission.ts';
import { callerOf, type UserCaller } from '../auth/caller.ts';
import { expressPath, readScope } from './bind-routes.ts';
import type { RequestScope } from './endpoints.ts';
import { CallerGoneError } from './failure.ts';
import { inputParser } from './input/parse-input.ts';
import { markRoute } from './observe.ts';
import type { PositionReader } from './positions.ts';
import type { RunningRequests } from './running-requests.ts';
import type { StreamCounts } from './stream-counts.ts';

/** An answer that is written piece by piece, as fast as the caller takes it. */
export interface OutgoingStream {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: AsyncIterable<string>;
}

export interface StreamScope extends Omit<RequestScope<UserCaller>, 'commandId'> {
  /** What a caller that comes back has seen last. */
  readonly lastEventId: string | undefined;
}

export interface StreamBinding {
  readonly route: Route;
  /** What it throws is answered as with any other route; what the chunks throw cuts the answer off. */
  readonly open: (input: never, scope: StreamScope) => Promise<OutgoingStream>;
}

/** Puts what opens a stream to its route. */
export function defineStream<R extends Route>(
  route: R,
  open: (input: RouteInput<R>, scope: StreamScope) => Promise<OutgoingStream>,
): StreamBinding {
  return { route, open: open as StreamBinding['open'] };
}

/** Streams whose positions are about one stream of the event log. */
export interface StreamArea {
  readonly bindings: readonly StreamBinding[];
  readonly stream: string;
}

export interface StreamDeps {
  readonly logger: Logger;
  readonly admission: AdmissionDeps;
  readonly running: RunningRequests;
  readonly positions: PositionReader;
  readonly streamCounts: StreamCounts;
}

/** Lets Express answer routes for users whose answers are streams. */
export function bindStreams(app: Express, area: StreamArea, deps: StreamDeps): void {
  for (const { route, open } of area.bindings) {
    const admit = admitCaller(route, deps.admission);
    const parse = inputParser(route);
    app.get(expressPath(route.path), markRoute(route.path), admit, async (request: Request, response: Response) => {
      const input = parse(request, undefined, undefined);
      const caller = callerOf(response) as UserCaller;
      const read = await readScope({ request, response, route }, { ...deps, stream: area.stream });
      const leave = deps.streamCounts.enter(caller.userId);
      try {
        const scope = { ...read, caller, lastEventId: request.get('last-event-id') };
        const outgoing = await open(input as never, scope);
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
  try {
    await pipeline(Readable.from(chunks), response);
  } catch (error) {
    // The answer has begun: all that can be done is to cut it off, so that nobody takes a part for the whole.
    if (error instanceof CallerGoneError || isPrematureClose(error)) return;
    logger.error({ err: error, requestId }, 'An answer was cut off');
  }
}

function isPrematureClose(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
}
