import type { RequestContext, RequestHandler } from './request.ts';

interface Command {
  readonly userId: number;
  readonly commandId: string;
}

/** How long a reply is kept for a repeat that another gateway lets through a moment later, in milliseconds. */
const keepMs = 10_000;

/** A command that runs, or that was answered a moment ago. */
interface Shared<Rep> {
  readonly answer: Promise<Rep>;
  /** Of those who wait for it. */
  readonly signals: AbortSignal[];
  readonly abort: AbortController;
}

/**
 * Deduplicates commands: requests with the same user and command id that arrive together, or within 10 s of the reply,
 * share one reply. Carried out twice, such a command would issue two secrets, of which the second invalidates the first.
 * A command that failed is carried out again. It is aborted when no caller waits for it any more. The map needs no bound on
 * its entries: none that runs may be evicted, and a completed one leaves after 10 s.
 */
export function onePerCommand<Req extends Command, Rep>(
  handler: (request: Req, context: RequestContext) => Promise<Rep>,
): RequestHandler<Req, Rep> {
  const commands = new Map<string, Shared<Rep>>();
  return (request, context) => {
    const id = `${request.userId} ${request.commandId}`;
    const known = commands.get(id);
    if (known && !known.abort.signal.aborted) {
      join(known, context.signal);
      return known.answer;
    }
    const abort = new AbortController();
    const answer = handler(request, { ...context, signal: abort.signal });
    const shared = { answer, signals: [], abort };
    join(shared, context.signal);
    commands.set(id, shared);
    const forget = () => {
      if (commands.get(id) === shared) commands.delete(id);
    };
    answer.then(() => setTimeout(forget, keepMs).unref(), forget);
    return answer;
  };
}

function join({ signals, abort }: Shared<unknown>, signal: AbortSignal): void {
  signals.push(signal);
  signal.addEventListener('abort', () => {
    if (signals.every(({ aborted }) => aborted)) abort.abort(signal.reason);
  });
}
