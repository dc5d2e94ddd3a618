import { inFlight, type Throughput } from '../../src/timing/in-flight.ts';
import { questions, sentences } from '../../src/timing/sentences.ts';
import type { Contender } from './contender.ts';

/** What one contender did in one round. */
export interface Round {
  readonly addsOneByOne: Throughput;
  readonly addsAtOnce: Throughput;
  readonly searchesOneByOne: Throughput;
  readonly searchesAtOnce: Throughput;
  /** Memories found by a search, in the mean. */
  readonly found: number;
}

export interface MeasureOptions {
  readonly rounds: number;
  /** Adds and searches of each kind in a round. */
  readonly requests: number;
  readonly concurrency: number;
}

const warmUp = 30;
const seed = 20_260_101;

/** Lets the contenders take turns, each first as often as the others, with the same texts and questions. */
export async function measure(
  contenders: readonly Contender[],
  options: MeasureOptions,
  onRound: (line: string) => void,
): Promise<ReadonlyMap<Contender, readonly Round[]>> {
  const rounds = new Map<Contender, Round[]>(contenders.map((contender) => [contender, []]));
  for (const contender of contenders) await measureRound(contender, { ...options, requests: warmUp }, 0);
  for (let round = 1; round <= options.rounds; round += 1) {
    const first = round % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      onRound(`Round ${round} of ${options.rounds}: ${contender.name}`);
      rounds.get(contender)?.push(await measureRound(contender, options, round));
    }
  }
  return rounds;
}

/** What is stored one by one and what is stored at once belong to two owners, who are searched in the same way. */
async function measureRound(
  contender: Contender,
  { requests, concurrency }: MeasureOptions,
  round: number,
): Promise<Round> {
  let found = 0;
  const adds = (owner: string, from: number) =>
    take(sentences(from), requests).map((text) => () => contender.add(owner, text));
  const searches = (owner: string, from: number) =>
    take(questions(from), requests).map((query) => async () => {
      found += await contender.search(owner, query);
    });
  const from = seed + 10 * round;
  const [slow, fast] = [`bench-${round}-single`, `bench-${round}-many`];
  const addsOneByOne = await inFlight(1, adds(slow, from));
  const addsAtOnce = await inFlight(concurrency, adds(fast, from + 1));
  const searchesOneByOne = await inFlight(1, searches(slow, from + 2));
  const searchesAtOnce = await inFlight(concurrency, searches(fast, from + 3));
  return { addsOneByOne, addsAtOnce, searchesOneByOne, searchesAtOnce, found: found / (2 * requests) };
}

function take<T>(from: Iterator<T>, count: number): T[] {
  return Array.from({ length: count }, () => from.next().value as T);
}
