import type { RequestContext, RequestHandler } from './request.ts';

interface Command {
  readonly userId: number;
  readonly commandId: string;
}

/** How long a reply is kept for a repeat that another gateway lets through a moment later, in milliseconds. */
const keepMs = 10_000;

/**
 * Deduplicates commands: requests with the same user and command id that arrive together, or within 10 s of the reply,
 * share one reply. Carried out twice, such a command would issue two secrets, of which the second invalidates the first.
 * A command that failed is carried out again. The map needs no bound on its entries: none that runs may be evicted, and
 * a completed one leaves after 10 s.
 */
export function onePerCommand<Req extends Command, Rep>(
  handler: (request: Req, context: RequestContext) => Promise<Rep>,
): RequestHandler<Req, Rep> {
  const answers = new Map<string, Promise<Rep>>();
  return (request, context) => {
    const id = `${request.userId} ${request.commandId}`;
    const known = answers.get(id);
    if (known) return known;
    const answer = handler(request, context);
    answers.set(id, answer);
    const forget = () => answers.delete(id);
    answer.then(() => setTimeout(forget, keepMs).unref(), forget);
    return answer;
  };
}
