import { inFlight, type Throughput } from '../../src/timing/in-flight.ts';
import { questions, sentences, take } from '../../src/timing/sentences.ts';
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

/** Before anything counts, for each contender: until then the runtime still compiles, and an add takes up to twice as long. */
const warmUp = { adds: 1_000, searches: 300 };
const seed = 20_260_101;

/** Lets the contenders take turns with each kind of request, each first as often as the others, with the same texts and questions. */
export async function measure(
  contenders: readonly Contender[],
  options: MeasureOptions,
  onRound: (line: string) => void,
): Promise<ReadonlyMap<Contender, readonly Round[]>> {
  const rounds = new Map<Contender, Round[]>(contenders.map((contender) => [contender, []]));
  for (const contender of contenders) await warm(contender, options.concurrency);
  for (let round = 1; round <= options.rounds; round += 1) {
    onRound(`Round ${round} of ${options.rounds}`);
    const first = round % contenders.length;
    const turns = [...contenders.slice(first), ...contenders.slice(0, first)];
    for (const [contender, figures] of await measureRound(turns, options, round)) rounds.get(contender)?.push(figures);
  }
  return rounds;
}

async function warm(contender: Contender, concurrency: number): Promise<void> {
  const owner = 'bench-warm-up';
  const texts = take(sentences(seed), warmUp.adds);
  const queries = take(questions(seed), warmUp.searches);
  await inFlight(
    concurrency,
    texts.map((text) => () => contender.add(owner, text)),
  );
  await inFlight(
    concurrency,
    queries.map((query) => () => contender.search(owner, query)),
  );
}

/** What is stored one by one and what is stored at once belong to two owners, who are searched in the same way. */
async function measureRound(
  contenders: readonly Contender[],
  { requests, concurrency }: MeasureOptions,
  round: number,
): Promise<ReadonlyMap<Contender, Round>> {
  const from = seed + 10 * round;
  const [slow, fast] = [`bench-${round}-single`, `bench-${round}-many`];
  const found = new Map<Contender, number>();
  const adding = (owner: string, texts: readonly string[]) => (contender: Contender) =>
    texts.map((text) => () => contender.add(owner, text));
  const searching = (owner: string, queries: readonly string[]) => (contender: Contender) =>
    queries.map((query) => async () => {
      found.set(contender, (found.get(contender) ?? 0) + (await contender.search(owner, query)));
    });
  const texts = (seed: number) => take(sentences(seed), requests);
  const queries = (seed: number) => take(questions(seed), requests);
  const addsOneByOne = await inTurn(contenders, 1, adding(slow, texts(from)));
  const addsAtOnce = await inTurn(contenders, concurrency, adding(fast, texts(from + 1)));
  const searchesOneByOne = await inTurn(contenders, 1, searching(slow, queries(from + 2)));
  const searchesAtOnce = await inTurn(contenders, concurrency, searching(fast, queries(from + 3)));
  return new Map(
    contenders.map((contender) => [
      contender,
      {
        addsOneByOne: addsOneByOne(contender),
        addsAtOnce: addsAtOnce(contender),
        searchesOneByOne: searchesOneByOne(contender),
        searchesAtOnce: searchesAtOnce(contender),
        found: (found.get(contender) ?? 0) / (2 * requests),
      },
    ]),
  );
}

/** Lets each contender do its requests, one contender after the other, and returns whose figures are which. */
async function inTurn(
  contenders: readonly Contender[],
  atOnce: number,
  requestsOf: (contender: Contender) => readonly (() => Promise<void>)[],
): Promise<(contender: Contender) => Throughput> {
  const done = new Map<Contender, Throughput>();
  for (const contender of contenders) done.set(contender, await inFlight(atOnce, requestsOf(contender)));
  return (contender) => {
    const figures = done.get(contender);
    if (!figures) throw new Error(`${contender.name} was not measured`);
    return figures;
  };
}
