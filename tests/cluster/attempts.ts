import { eventually } from '../system/eventually.ts';
import type { Answer } from '../system/http-client.ts';

/** One request and what became of it; times are those of `performance.now()`. */
export interface Attempt {
  readonly name: string;
  readonly sentAt: number;
  readonly endedAt: number;
  /** What it failed with. */
  readonly failure?: string;
  /** Whether it is one of the failures that callers have to expect when a server is lost. */
  readonly isExpected?: boolean;
}

/** How long one kind of request was affected by the loss of a process, in milliseconds. */
export interface Disturbance {
  readonly name: string;
  readonly failures: number;
  /** From the loss to when the last request was sent that failed; 0 if none did. */
  readonly failingMs: number;
  readonly slowestMs: number;
}

/** For so long everything has to succeed before a system counts as recovered, in milliseconds. */
const steadyMs = 6_000;
const expectedCodes: ReadonlySet<string> = new Set(['UNAVAILABLE', 'READ_MODEL_BEHIND', 'TIMEOUT']);

/** Keeps a record of requests. */
export class Attempts {
  readonly #ended: Attempt[] = [];
  readonly #names: readonly string[];

  /** @param names of all kinds of requests that are sent */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Sends a request. @returns its answer when it succeeded */
  async make<Body>(name: string, send: () => Promise<Answer<Body>>): Promise<Answer<Body> | undefined> {
    const sentAt = performance.now();
    const end = (outcome: Partial<Attempt>) => {
      this.#ended.push({ name, sentAt, endedAt: performance.now(), ...outcome });
    };
    try {
      const answer = await send();
      end(answer.status < 300 ? {} : failureOf(answer));
      return answer.status < 300 ? answer : undefined;
    } catch (error) {
      end({ failure: String(error), isExpected: false });
      return undefined;
    }
  }

  /** Failures that no caller has to expect. */
  unexpected(): readonly string[] {
    return this.#ended
      .filter(({ isExpected }) => isExpected === false)
      .map(({ name, failure }) => `${name}: ${failure}`);
  }

  /** Waits until every kind of request has succeeded for some seconds from now on, and none has failed. */
  async untilSteady(timeoutMs: number): Promise<void> {
    const since = performance.now();
    const isSteady = () => performance.now() - since > steadyMs && this.#isSteady();
    await eventually(`all requests succeed for ${steadyMs} ms`, isSteady, timeoutMs + steadyMs);
  }

  /** How each kind of request was affected by what happened at `since`, until now. */
  disturbances(since: number): readonly Disturbance[] {
    const affected = this.#ended.filter(({ endedAt }) => endedAt > since);
    return this.#names.map((name) => {
      const own = affected.filter((attempt) => attempt.name === name);
      const failed = own.filter(({ failure }) => failure !== undefined);
      return {
        name,
        failures: failed.length,
        failingMs: Math.round(Math.max(0, ...failed.map(({ sentAt }) => sentAt - since))),
        slowestMs: Math.round(Math.max(0, ...own.map(({ sentAt, endedAt }) => endedAt - sentAt))),
      };
    });
  }

  /** The longest time that any request took, in milliseconds. */
  slowestMs(): number {
    return Math.max(0, ...this.#ended.map(({ sentAt, endedAt }) => endedAt - sentAt));
  }

  #isSteady(): boolean {
    const from = performance.now() - steadyMs;
    const recent = this.#ended.filter(({ sentAt }) => sentAt > from);
    const hasSucceeded = (name: string) => recent.some((attempt) => attempt.name === name);
    return recent.every(({ failure }) => failure === undefined) && this.#names.every(hasSucceeded);
  }
}

function failureOf({ status, headers, body }: Answer<unknown>): Partial<Attempt> {
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json') ?? false;
  const { code } = Object(body) as { code?: string };
  const isExpected = (status === 503 || status === 504) && isProblem && expectedCodes.has(code ?? '');
  return { failure: `${status} ${JSON.stringify(body)}`, isExpected };
}
