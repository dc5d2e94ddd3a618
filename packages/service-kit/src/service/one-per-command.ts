import type { RequestContext } from './request.ts';
import type { RequestHandler } from './service.ts';

interface Command {
  readonly userId: number;
  readonly commandId: string;
}

/** A repeat that another gateway lets through may come a moment after the answer; for so long it is kept, in milliseconds. */
const keepMs = 10_000;

/**
 * Lets requests with one command share one answer when they come at once, or one right after the other: each of them
 * alone would make a key that ends the one before. A command that failed is carried out again.
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
