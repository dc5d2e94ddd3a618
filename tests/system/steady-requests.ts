/** A request that is sent again and again. */
export interface SteadyRequest {
  readonly name: string;
  readonly perSecond: number;
  /** Sends it once. @throws what it fails with */
  readonly send: (turn: number) => Promise<void>;
}

export interface SteadyResult {
  readonly sent: Readonly<Record<string, number>>;
  readonly failures: readonly string[];
  /** The longest time that a request took, in milliseconds. */
  readonly slowestMs: number;
}

const tickMs = 5;

/** Sends requests at a steady rate, whether earlier ones are answered or not, until it is stopped. */
export function sendSteadily(requests: readonly SteadyRequest[]): { stop(): Promise<SteadyResult> } {
  const sent: Record<string, number> = Object.fromEntries(requests.map(({ name }) => [name, 0]));
  const failures: string[] = [];
  const running = new Set<Promise<void>>();
  let slowestMs = 0;
  const startedAt = performance.now();
  const sendOne = async ({ name, send }: SteadyRequest, turn: number) => {
    const from = performance.now();
    try {
      await send(turn);
    } catch (error) {
      const at = ((from - startedAt) / 1_000).toFixed(1);
      const cause = error instanceof Error && error.cause instanceof Error ? `, ${error.cause.message}` : '';
      failures.push(`${at} s, ${name} ${turn}: ${error instanceof Error ? error.message : error}${cause}`);
    }
    slowestMs = Math.max(slowestMs, performance.now() - from);
  };
  const timer = setInterval(() => {
    const seconds = (performance.now() - startedAt) / 1_000;
    for (const request of requests) {
      for (let turn = sent[request.name] ?? 0; turn < seconds * request.perSecond; turn += 1) {
        sent[request.name] = turn + 1;
        const work = sendOne(request, turn).finally(() => running.delete(work));
        running.add(work);
      }
    }
  }, tickMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(running);
      return { sent, failures, slowestMs };
    },
  };
}
