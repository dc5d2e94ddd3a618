import type { HttpClient } from '../system/http-client.ts';
import { inFlight, type Throughput } from '../timing/in-flight.ts';
import { median } from '../timing/samples.ts';
import { firstUserToken, issueKey } from './first-user.ts';

export interface KeysOptions {
  /** How often each caller has its turn. */
  readonly rounds: number;
  /** Requests of a turn. */
  readonly requests: number;
  /** How many of them are under way together. */
  readonly concurrency: number;
}

/** One way to send the same request. */
export interface CallerFigures extends Throughput {
  readonly name: string;
  /** Requests per second beside those without credentials, in the same round; the median over all rounds. */
  readonly ratio: number;
}

/** The read that costs least: one query with no result. */
const path = '/api/agents';
const warmUp = 1_000;

/**
 * Sends the same request without credentials, with a key and with a token, in turns, each first as often as the others, so
 * that what else the machine does falls on all of them alike.
 */
export async function measureKeys(client: HttpClient, options: KeysOptions): Promise<CallerFigures[]> {
  const token = firstUserToken();
  const callers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'no credentials': {},
    'a key': { 'x-api-key': await issueKey(client, token) },
    'a token of a user': { authorization: `Bearer ${token}` },
  };
  const names = Object.keys(callers);
  const turns = new Map<string, Throughput[]>(names.map((name) => [name, []]));
  const take = (name: string, requests: number) => {
    const call = () => client.get(path, callers[name]);
    return inFlight(
      options.concurrency,
      Array.from({ length: requests }, () => call),
    );
  };
  for (const name of names) await take(name, warmUp);
  for (let round = 0; round < options.rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      turns.get(name)?.push(await take(name, options.requests));
    }
  }
  const floor = turns.get('no credentials') ?? [];
  return names.map((name) => figuresOf(name, turns.get(name) ?? [], floor));
}

function figuresOf(name: string, turns: readonly Throughput[], floor: readonly Throughput[]): CallerFigures {
  const over = (part: keyof Throughput) => median(turns.map((turn) => turn[part]));
  const ratios = turns.map(({ perSecond }, round) => perSecond / (floor[round]?.perSecond ?? Number.NaN));
  return {
    name,
    perSecond: over('perSecond'),
    p50Ms: over('p50Ms'),
    p95Ms: over('p95Ms'),
    p99Ms: over('p99Ms'),
    ratio: median(ratios),
  };
}
