import { expect } from 'vitest';
import type { Answer } from './http-client.ts';

type Ask = () => Promise<Answer<unknown>>;

export interface LoudAndQuiet {
  /** How many loud requests are under way at any time. */
  readonly atOnce: number;
  /** Sends one of those. @param asker which of them, from 0 @param asked how many the same one has sent before */
  readonly loud: (asker: number, asked: number) => Promise<Answer<unknown>>;
  /** Are sent one after the other, in turns. */
  readonly quiet: readonly [Ask, ...Ask[]];
}

/** Typical waits for an answer, in milliseconds. */
export interface Waits {
  readonly loud: number;
  readonly quiet: number;
}

const quietRequests = 12;

/** How long quiet requests take while many loud ones are under way, and how long those take. All have to be answered with 200. */
export async function compareWaits({ atOnce, loud, quiet }: LoudAndQuiet): Promise<Waits> {
  const waits: Record<keyof Waits, number[]> = { loud: [], quiet: [] };
  const timed = async (who: keyof Waits, ask: Ask) => {
    const startedAt = performance.now();
    const { status, body } = await ask();
    expect(status, JSON.stringify(body)).toBe(200);
    waits[who].push(performance.now() - startedAt);
  };
  let isOver = false;
  const askOnAndOn = async (_: unknown, asker: number) => {
    for (let asked = 0; !isOver; asked += 1) await timed('loud', () => loud(asker, asked));
  };
  const askInTurns = async () => {
    await expect.poll(() => isOver || waits.loud.length > atOnce).toBe(true);
    for (let asked = 0; !isOver && asked < quietRequests; asked += 1)
      await timed('quiet', quiet[asked % quiet.length] ?? quiet[0]);
    isOver = true;
  };
  const asking = [askInTurns(), ...Array.from({ length: atOnce }, askOnAndOn)];
  try {
    await Promise.all(asking);
  } finally {
    isOver = true;
    // What follows is not to be measured beside these.
    await Promise.allSettled(asking);
  }
  return { loud: median(waits.loud), quiet: median(waits.quiet) };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
