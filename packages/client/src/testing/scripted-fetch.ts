/** A request as the client sends it. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
}

type Step = Response | Error | 'never';

/** A `fetch` that gives the responses in their order, the last one again and again, and keeps what it was sent. */
export function scriptedFetch(...steps: readonly (Step | (() => Step))[]) {
  const sent: SentRequest[] = [];
  const send = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const step = steps[Math.min(sent.length, steps.length - 1)];
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    sent.push({ method: init.method ?? 'GET', url: String(input), headers: new Headers(init.headers), body });
    const outcome = typeof step === 'function' ? step() : step;
    if (outcome instanceof Error) throw outcome;
    if (outcome === 'never' || outcome === undefined) return await untilAborted(init.signal);
    return outcome.clone();
  };
  return { fetch: send as typeof fetch, sent };
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

export function json(body: unknown, init: ResponseInit = {}): Response {
  return new Response(JSON.stringify(body), init);
}

export function problem(status: number, fields: object = {}, headers: Record<string, string> = {}): Response {
  const body = { status, code: 'UNAVAILABLE', detail: 'Try again later', request_id: 'r-1', ...fields };
  return json(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } });
}
