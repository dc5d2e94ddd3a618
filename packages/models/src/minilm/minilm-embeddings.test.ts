import { type ChildProcess, execFileSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { constants, getPriority } from 'node:os';
import { longestStallOf } from '@mneme/workers/testing';
import { yieldToEventLoop } from '@mneme/workers/time-slices';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findModel } from './find-model.ts';
import { createMiniLmEmbeddings, type MiniLmEmbeddings } from './minilm-embeddings.ts';

let embeddings: MiniLmEmbeddings;

beforeAll(async () => {
  embeddings = await createMiniLmEmbeddings(await findModel({ source: undefined }));
});
afterAll(() => embeddings.close());

function cosine(left: Float32Array | undefined, right: Float32Array | undefined): number {
  let sum = 0;
  for (const [index, value] of (left ?? new Float32Array()).entries()) sum += value * (right?.[index] ?? 0);
  return sum;
}

async function likeness(left: string, right: string): Promise<number> {
  const [one, other] = await embeddings.embed([left, right]);
  return cosine(one, other);
}

describe('vectors', () => {
  test('have length 1, and are zero for a blank text', async () => {
    const vectors = await embeddings.embed(['Ana lives in Lisbon.', ' \n']);
    expect(vectors.map((vector) => vector.length)).toEqual([384, 384]);
    expect(vectors.map((vector) => Math.hypot(...vector))).toEqual([expect.closeTo(1, 5), 0]);
  });

  // The cosines that the reference implementation of the model gives, within what 4 bits of a weight change.
  test.each([
    ['A man is eating food.', 'A man is eating a piece of bread.', 0.755],
    ['A man is eating food.', 'A man is riding a horse.', 0.27],
    ['The girl is carrying a baby.', 'A woman is playing violin.', 0.15],
  ])('of %j and %j are as similar as they should be', async (left, right, expected) => {
    expect(Math.abs((await likeness(left, right)) - expected)).toBeLessThan(0.12);
  });

  test.each([
    ['Which instrument does she play?', 'Ana practises the violin every evening.', 'Ana bought a new car.'],
    ['What is his job?', 'Bob repairs clocks in Vienna.', 'Bob ate an apple.'],
    ['Does she have any pets?', 'Our dog Rex loves the garden.', 'The garden is large.'],
  ])('answer %j by meaning, without a word in common', async (question, answer, other) => {
    expect(await likeness(question, answer)).toBeGreaterThan(await likeness(question, other));
  });

  test('are the same alone, in a batch of other lengths, and from the cache', async () => {
    const texts = Array.from(
      { length: 40 },
      (_, index) => `Ana ${'walked along the beach and '.repeat(index % 9)}slept.${index}`,
    );
    const together = await embeddings.embed(texts);
    const [again] = await embeddings.embed(texts.slice(3, 4));
    expect(again).toEqual(together[3]);
    const other = await createMiniLmEmbeddings(await findModel({ source: undefined }));
    const [alone] = await other.embed(texts.slice(26, 27));
    other.close();
    expect(cosine(alone, together[26])).toBeCloseTo(1, 3);
  });

  test('of a long text are those of its first 256 word pieces', async () => {
    const start = 'apple '.repeat(254);
    const [one, other, shorter] = await embeddings.embed([
      `${start}volcano`,
      `${start}${'war '.repeat(9_000)}`,
      'apple',
    ]);
    expect(cosine(one, other)).toBeCloseTo(1, 5);
    expect(cosine(one, shorter)).toBeLessThan(0.99);
  });
});

test('a question does not wait for a batch, and other work goes on meanwhile', async () => {
  await embeddings.embed(['Two texts at once', 'start both processes'], undefined, 'question');
  const ended: string[] = [];
  let tries = 0;
  const stallMs = await longestStallOf(async () => {
    tries += 1;
    ended.length = 0;
    const texts = Array.from(
      { length: 200 },
      (_, index) => `Turn ${tries}.${index}: we walked and saw ${index} ships.`,
    );
    const batch = embeddings.embed(texts, undefined, 'background').then(() => ended.push('batch'));
    const question = embeddings
      .embed([`How many ships in ${tries}?`], undefined, 'question')
      .then(() => ended.push('question'));
    await Promise.all([batch, question]);
  }, 50);
  expect(ended).toEqual(['question', 'batch']);
  expect(stallMs).toBeLessThanOrEqual(50);
});

/** Other test files may have left something in this process that starts one meanwhile. */
const isInference = ({ spawnargs }: ChildProcess) => spawnargs.some((each) => each.includes('inference-process'));

test.each([
  [2, 2],
  [3, 1],
])('a batch of %i texts beside background work is embedded by one of %i processes', async (texts, processes) => {
  const started: ChildProcess[] = [];
  const note = (message: unknown) => void started.push((message as { process: ChildProcess }).process);
  subscribe('child_process', note);
  const own = await createMiniLmEmbeddings(await findModel({ source: undefined }));
  const background = own.embed(
    Array.from({ length: 40 }, (_, index) => `Some text ${index} of a large batch.`),
    undefined,
    'background',
  );
  await own.embed(Array.from({ length: texts }, (_, index) => `Text ${index} of a batch that someone waits for.`));
  unsubscribe('child_process', note);
  // What is done in the background has a lower priority than questions.
  const priorities = started.filter(isInference).map(({ pid = 0 }) => getPriority(pid) - getPriority());
  expect(priorities).toEqual([constants.priority.PRIORITY_BELOW_NORMAL, 0].slice(0, processes));
  await background;
  own.close();
});

test('what waits can be aborted', async () => {
  const batch = embeddings.embed(Array.from({ length: 40 }, (_, index) => `Some text ${index} of a batch.`));
  const abort = new AbortController();
  const waiting = embeddings.embed(['This one is not needed any more.'], abort.signal, 'background');
  abort.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await batch;
});

test('closing ends the process, also during an inference, and what runs fails', async () => {
  const own = await createMiniLmEmbeddings(await findModel({ source: undefined }));
  const running = own.embed(Array.from({ length: 40 }, (_, index) => `${index} ${'long text '.repeat(50)}`));
  const failed = expect(running).rejects.toMatchObject({ name: 'ModelError', code: 'unavailable' });
  await yieldToEventLoop();
  own.close();
  await failed;
});

test('a process that has a model ends by itself', () => {
  const script = `
    import { findModel } from './find-model.ts';
    import { createMiniLmEmbeddings } from './minilm-embeddings.ts';
    const embeddings = await createMiniLmEmbeddings(await findModel({ source: undefined }));
    console.log((await embeddings.embed(['Ana']))[0].length);`;
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], options)).toBe('384\n');
});
