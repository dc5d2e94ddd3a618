import { embeddedTypes, memoryStream, memorySubjects } from '@mneme/contracts';
import type { LogEmbeddings } from '@mneme/embedding-model';
import { maxEventBytes, type RunningHandler, removeConsumer, runHandler, type StoredMessage } from '@mneme/event-store';
import { isSuperseded } from '../document/superseded.ts';
import { mayLackVectors } from '../operation/fact-headers.ts';
import type { Backlog } from './backlog.ts';
import { type HandlerDeps, handlerOptions, isServiceAway } from './handler-options.ts';
import { type EmbeddedEvent, whenModelChanges, whenVectorsMissing } from './when-vectors-missing.ts';

export interface VectorHandlersDeps extends Omit<HandlerDeps, 'models' | 'eraser'> {
  readonly ackWaitMs: number;
  readonly backlogs: { readonly facts: Pick<Backlog, 'isLong'>; readonly vectors: Backlog };
}

interface VectorHandler {
  readonly durable: string;
  readonly filterSubject: string | readonly string[];
  readonly startSequence?: number;
  readonly inactiveMs?: number;
  readonly types: readonly EmbeddedEvent['type'][];
  readonly concerns?: (message: StoredMessage) => boolean;
  readonly handle: (...event: Parameters<typeof whenVectorsMissing>) => Promise<unknown>;
}

/** A durable that no instance uses for this time is removed, in milliseconds. */
const inactiveMs = 7 * 24 * 60 * 60_000;

const missingDurable = 'memory-vectors';

/** For facts that are stored before they are embedded. */
function ofMissing(through: number | undefined): VectorHandler {
  return {
    durable: missingDurable,
    filterSubject: memorySubjects.allOperations,
    // What came before has its vectors, unless the handler has run already.
    ...(through !== undefined && { startSequence: through + 1 }),
    types: ['FactsExtracted'],
    concerns: mayLackVectors,
    handle: whenVectorsMissing,
  };
}

/** For a change of the embedding model: each has a durable of its own, since earlier ones have passed over what it needs. */
function ofChange(through: number): VectorHandler {
  return {
    durable: `memory-vectors-after-${through}`,
    filterSubject: [memorySubjects.allOperations, ...memorySubjects.allOpinions],
    startSequence: through + 1,
    inactiveMs,
    types: embeddedTypes,
    handle: whenModelChanges,
  };
}

/** The model takes one text after the other; more than one event at once only saves the waits for the log. */
const concurrency = 4;
/** The same of one agent. Each event has up to 100 facts. */
const mostOfAgent = 2;
/** How long a handler that could not be started is left alone, in milliseconds. */
const startAgainMs = 5_000;

/**
 * Runs the handlers that add missing vectors as soon as the embedding models of the log require them. The durable of a
 * handler that they do not require is removed: events would wait for it for good. Nothing is lost by that, since
 * `mneme reembed` adds all vectors up to the event at which the next durable begins.
 */
export async function keepVectorHandlers(deps: VectorHandlersDeps): Promise<{ stop(): Promise<void> }> {
  const running = new Map<string, RunningHandler>();
  /** Those that may be there, from an earlier run as well. */
  const durables = new Set([missingDurable]);
  let starting: Promise<void> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;
  const startNeeded = async () => {
    const needed = neededHandlers(deps.embeddings);
    for (const handler of needed) {
      durables.add(handler.durable);
      if (!running.has(handler.durable)) running.set(handler.durable, await runVectorHandler(deps, handler));
    }
    for (const durable of durables) {
      if (needed.some((each) => each.durable === durable)) continue;
      const handler = running.get(durable);
      running.delete(durable);
      await handler?.stop();
      // Another instance that still runs it makes it anew, and removes it in its turn.
      await removeConsumer({ connection: deps.connection, stream: memoryStream.name }, durable);
      durables.delete(durable);
    }
  };
  const startLater = () => {
    clearTimeout(retry);
    starting = starting.then(startNeeded).catch((error: unknown) => {
      deps.logger.warn({ err: error }, 'A handler of missing vectors could not be started');
      clearTimeout(retry);
      if (!isStopped) retry = setTimeout(startLater, startAgainMs).unref();
    });
  };
  await startNeeded();
  const changes = deps.embeddings.onChange(startLater);
  return {
    stop: async () => {
      isStopped = true;
      changes.cancel();
      await starting;
      clearTimeout(retry);
      await Promise.all([...running.values()].map((handler) => handler.stop()));
    },
  };
}

function neededHandlers(embeddings: LogEmbeddings): readonly VectorHandler[] {
  const { next, through } = embeddings.state();
  const isLoaded = next === undefined || embeddings.next() !== undefined;
  return [
    ...(embeddings.current().isSlow ? [ofMissing(through)] : []),
    ...(through !== undefined && isLoaded ? [ofChange(through)] : []),
  ];
}

function runVectorHandler(deps: VectorHandlersDeps, { handle, ...handler }: VectorHandler): Promise<RunningHandler> {
  const { connection, store, storeFor, client, embeddings, ackWaitMs, backlogs } = deps;
  return runHandler({
    ...handlerOptions(deps),
    ...handler,
    ackWaitMs,
    handle: (event, { signal }) => {
      const handlerDeps = {
        store: backlogs.vectors.counting(storeFor(event.data, event.position.sequence)),
        embeddings,
        maxEventBytes: () => maxEventBytes(connection),
        isSuperseded: (of: EmbeddedEvent) => isSuperseded({ client, store }, of, signal),
      };
      return handle(handlerDeps, event, signal);
    },
    // The texts are still found by their words; an operator can have them embedded again.
    onExhausted: 'dead-letter',
    isOutage: isServiceAway,
    headersOnly: true,
    // Facts come first: they are found by their words until then.
    isHeldBack: ([, agent], inWork) =>
      inWork >= mostOfAgent || backlogs.facts.isLong(agent) || backlogs.vectors.isLong(agent),
    concurrency,
  });
}
