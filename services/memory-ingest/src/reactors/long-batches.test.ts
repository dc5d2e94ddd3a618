import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memorySubjects, type SubmittedItem } from '@mneme/contracts';
import { maxEventBytes } from '@mneme/event-store';
import { createModels, type Models, modelsConfigShape } from '@mneme/models';
import { longestStallOf } from '@mneme/workers/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { useTestLog } from '../testing/test-log.ts';
import { whenBatchSubmitted } from './when-batch-submitted.ts';

const log = useTestLog();
let models: Models;

const context = { correlationId: 'test' };
const never = new AbortController().signal;
const longestStallMs = 100;
const maxGrowth = 150 * 2 ** 20;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

beforeAll(async () => {
  models = await createModels(z.object(modelsConfigShape).parse({ EMBEDDING_MODEL: 'builtin:words' }));
});

afterAll(() => models?.close());

async function submit(contents: readonly string[]) {
  const operationId = randomUUID();
  const subject = memorySubjects.operation({ space: 'public', agentId: 'alice' }, operationId);
  const items = contents.map((content): SubmittedItem => ({ content, eventDate: null, context: 'c'.repeat(16_384) }));
  const data = { space: 'public', agentId: 'alice', operationId, documentId: null, itemsCount: items.length, items };
  await log.store.append(subject, [{ type: 'BatchSubmitted', data: { ...data, part: 0, parts: 1 } }], 0, context);
  const [event] = (await log.store.load(subject)).events;
  if (event?.type !== 'BatchSubmitted') throw new Error('The submission is not there');
  return { subject, event };
}

it.each<[string, readonly string[]]>([
  ['ten thousand facts', ['Anna went to the market and bought three apples for her sister. '.repeat(45_000)]],
  [
    'a hundred items full of new names',
    Array.from({ length: 100 }, (_, item) =>
      Array.from({ length: 150 }, (_, index) => `Zo${item}x${index}a`).join(' and '),
    ),
  ],
])(
  'a batch of %s does not block the event loop and leaks no memory',
  async (_, contents) => {
    const deps = { store: log.store, models, maxEventBytes: () => maxEventBytes(log.connection) };
    const { event: first } = await submit(['Alice lives in Lisbon.']);
    await whenBatchSubmitted(deps, first, never);
    collect();
    const before = process.memoryUsage().heapUsed;
    const submitted = [await submit(contents), await submit(contents), await submit(contents)];
    let done = submitted[0];
    const stallMs = await longestStallOf(async () => {
      done = submitted.shift() ?? done;
      if (done) await whenBatchSubmitted(deps, done.event, never);
    }, longestStallMs);
    const last = (await log.store.load(done?.subject ?? '')).events.at(-1)?.type;
    collect();
    expect(last).toBe('FactsExtracted');
    expect(stallMs).toBeLessThan(longestStallMs);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(maxGrowth);
  },
  120_000,
);
