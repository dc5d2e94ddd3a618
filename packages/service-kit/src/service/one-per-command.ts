import type { RequestContext } from './request.ts';
import type { RequestHandler } from './service.ts';

interface Command {
  readonly userId: number;
  readonly commandId: string;
}

/**
 * Lets requests with one command that come at once share one answer: each of them alone would make a key that ends the
 * one before.
 */
export function onePerCommand<Req extends Command, Rep>(
  handler: (request: Req, context: RequestContext) => Promise<Rep>,
): RequestHandler<Req, Rep> {
  const running = new Map<string, Promise<Rep>>();
  return (request, context) => {
    const id = `${request.userId} ${request.commandId}`;
    const shared = running.get(id) ?? handler(request, context).finally(() => running.delete(id));
    running.set(id, shared);
    return shared;
  };
}
