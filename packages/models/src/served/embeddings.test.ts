import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { EmbeddingModel } from '../ports.ts';
import { connectModels, startModelServer } from '../testing/index.ts';
import { useModelServer } from '../testing/use-model-server.ts';

const server = useModelServer({ dimensions: 24 });
let embeddings: EmbeddingModel;

beforeAll(async () => {
  ({ embeddings } = await connectModels(server, { LLM_MAX_RETRIES: '1' }));
});

function lengthOf(vector: Float32Array | undefined): number {
  return Math.hypot(...(vector ?? []));
}

function vectors(...embeddings: readonly (readonly unknown[])[]) {
  return { json: { object: 'list', data: embeddings.map((embedding, index) => ({ index, embedding })) } };
}

test('the vector length is determined at start', () => {
  expect(embeddings).toMatchObject({ name: 'openai:stand-in-embedding', dimensions: 24 });
});

test('a server that gives empty vectors cannot be used', async () => {
  server.replies.always('embed', vectors([]));
  await expect(connectModels(server)).rejects.toMatchObject({ code: 'invalid-output' });
});

describe('a length that the memory was stored with', () => {
  const storedWith = (length: number) => ({ storedDimensions: async () => length });
  const refusal = {
    code: 'configuration',
    message:
      'openai:stand-in-embedding gave vectors of 23 numbers when the memory was stored, and gives 24 now. Run `mneme reembed` ' +
      'with EMBEDDING_DIMENSIONS=24, or bring the former model back.',
  };

  test('is looked up by the name of the model', async () => {
    const storedDimensions = vi.fn(async () => 24);
    await connectModels(server, {}, { storedDimensions });
    expect(storedDimensions.mock.calls).toEqual([['openai:stand-in-embedding']]);
  });

  test('lets no other model start under the same name', async () => {
    await expect(connectModels(server, {}, storedWith(23))).rejects.toMatchObject(refusal);
  });

  test('is enough for a start while the server does not answer, and compared with the first vector', async () => {
    server.replies.always('embed', { fault: 'disconnect' });
    const { embeddings: away } = await connectModels(server, {}, storedWith(23));
    expect(away.dimensions).toBe(23);
    await expect(away.embed(['a'])).rejects.toMatchObject({ code: 'unavailable' });
    server.replies.clear();
    await expect(away.embed(['a'])).rejects.toMatchObject(refusal);
  });

  test('is no reason to start with a server that refuses the key', async () => {
    server.replies.always('embed', { fault: 'unauthorized' });
    await expect(connectModels(server, {}, storedWith(24))).rejects.toMatchObject({ code: 'authentication' });
  });
});

test('a server that changes the length of its vectors gets no text stored', async () => {
  server.replies.always('embed', vectors([1, 2, 3]));
  await expect(embeddings.embed(['a'])).rejects.toThrow(
    'gave vectors of 24 numbers when the memory was stored, and gives 3',
  );
});

test('each text gets its vector of length 1, a blank one zeros', async () => {
  const [anna, blank, again, ben] = await embeddings.embed(['Anna sings', ' \n', 'Anna sings', 'Ben dances']);
  expect(anna).toBeInstanceOf(Float32Array);
  expect(lengthOf(anna)).toBeCloseTo(1, 6);
  expect(blank).toEqual(new Float32Array(24));
  expect(again).toEqual(anna);
  expect(ben).not.toEqual(anna);
  expect(server.requests[0]?.body).toMatchObject({
    input: ['Anna sings', 'Anna sings', 'Ben dances'],
    encoding_format: 'float',
  });
});

test('vectors of any length are brought to length 1', async () => {
  server.replies.next('embed', vectors(Array(24).fill(7)));
  const [vector] = await embeddings.embed(['a']);
  expect(lengthOf(vector)).toBeCloseTo(1, 6);
});

test('no request has more than 128 texts, and the order stays', async () => {
  const texts = Array.from({ length: 300 }, (_, i) => `text number ${i}`);
  const together = await embeddings.embed(texts);
  expect(server.requests.map(({ body }) => (body.input as string[]).length).sort((a, b) => a - b)).toEqual([
    44, 128, 128,
  ]);
  const [alone] = await embeddings.embed(['text number 299']);
  expect(together.at(-1)).toEqual(alone);
});

test('vectors in another order are sorted', async () => {
  const one = [1, ...Array(23).fill(0)];
  const two = [0, 1, ...Array(22).fill(0)];
  server.replies.next('embed', {
    json: {
      data: [
        { index: 1, embedding: two },
        { index: 0, embedding: one },
      ],
    },
  });
  expect(await embeddings.embed(['a', 'b'])).toEqual([new Float32Array(one), new Float32Array(two)]);
});

test('line breaks are kept, and a long text is cut between characters', async () => {
  await embeddings.embed(['a\nb', `a${'😀'.repeat(9_000)}`, 'half \ud800']);
  const [lines, long, half] = server.requests.flatMap(({ body }) => body.input as string[]);
  expect(lines).toBe('a\nb');
  expect(long?.length).toBeLessThanOrEqual(8_000);
  expect(long?.isWellFormed() && half?.isWellFormed()).toBe(true);
});

describe('a server that takes only short texts', () => {
  const one = [1, ...Array(23).fill(0)];
  const refuseFrom = (longest: number, status: number, message = 'input is too long') =>
    server.replies.always('embed', ({ body }) => {
      const input = body.input as string[];
      return input.some(({ length }) => length > longest)
        ? { fault: 'bad-request', status, message }
        : vectors(...input.map(() => one));
    });
  const sentLengths = () => server.requests.map(({ body }) => (body.input as string[]).map(({ length }) => length));

  test.each([
    [4_000, 400, 'input is too long', [[8_000], [4_000]]],
    [2_500, 413, 'no', [[8_000], [4_000], [2_000]]],
    [2_500, 422, '输入过长', [[8_000], [4_000], [2_000]]],
  ])(
    'of %i characters gets the start of a longer one after status %i and "%s"',
    async (longest, status, message, sent) => {
      refuseFrom(longest, status, message);
      expect(await embeddings.embed(['x'.repeat(9_000)])).toEqual([new Float32Array(one)]);
      expect(sentLengths()).toEqual(sent);
    },
  );

  test('gets all other texts of the batch whole', async () => {
    refuseFrom(5_000, 400);
    const lengths = [5, 4_500, 9_000, 4_800];
    expect(await embeddings.embed(lengths.map((length) => 'x'.repeat(length)))).toHaveLength(4);
    expect(sentLengths()).toEqual([[5, 4_500, 8_000, 4_800], [5, 4_500], [8_000, 4_800], [8_000], [4_000], [4_800]]);
  });

  test.each([
    ['shorter still', 'x'.repeat(9_000), 'input is too long', 3],
    ['none at all', 'short', 'input is too long', 1],
    ['none for another reason', 'x'.repeat(9_000), 'this model gives no embeddings', 1],
  ])('or %s is not configured rightly', async (_, text, message, calls) => {
    refuseFrom(1, 400, message);
    await expect(embeddings.embed([text])).rejects.toMatchObject({ code: 'configuration' });
    expect(server.calls()).toBe(calls);
  });
});

describe('a server that takes few texts at once', () => {
  const one = [1, ...Array(23).fill(0)];
  const refuseIf = (isRefused: (input: readonly string[]) => boolean, status: number, message: string) =>
    server.replies.always('embed', ({ body }) => {
      const input = body.input as string[];
      const said = message.replace('{count}', String(input.length));
      return isRefused(input) ? { fault: 'bad-request', status, message: said } : vectors(...input.map(() => one));
    });
  const refuseFrom = (most: number, status: number, message: string) =>
    refuseIf(({ length }) => length > most, status, message);
  const sentCounts = () => server.requests.map(({ body }) => (body.input as string[]).length);
  const textsOf = (count: number, length = 0) =>
    Array.from({ length: count }, (_, i) => `text number ${i}`.padEnd(length, 'x'));

  test.each([
    [32, 413, 'batch too large', [128, 64, 32, 32, 32, 32], [32, 18]],
    [32, 422, 'batch size 128 > maximum allowed batch size 32', [128, 64, 32, 32, 32, 32], [32, 18]],
    [
      10,
      400,
      'Value error, batch size is invalid, it should not be larger than 10.: input.contents',
      [128, 64, 32, 16, ...Array(16).fill(8)],
      [...Array(6).fill(8), 2],
    ],
  ])(
    'of %i gets its vectors after status %i and "%s", and no more than it took in later batches',
    async (most, status, message, first, later) => {
      const { embeddings: own } = await connectModels(server, { LLM_MAX_RETRIES: '1' });
      server.reset();
      refuseFrom(most, status, message);
      expect(await own.embed(textsOf(128))).toHaveLength(128);
      expect(sentCounts()).toEqual(first);
      server.reset();
      refuseFrom(most, status, message);
      expect(await own.embed(textsOf(50))).toHaveLength(50);
      expect(sentCounts()).toEqual(later);
    },
  );

  test('gets more again after a while, since it may have refused for another reason', async () => {
    const { embeddings: own } = await connectModels(server, { LLM_MAX_RETRIES: '1' });
    server.reset();
    refuseFrom(1, 400, 'temporarily over the limit');
    await own.embed(textsOf(2));
    expect(sentCounts()).toEqual([2, 1, 1]);
    server.reset();
    refuseFrom(128, 400, 'unused');
    for (let request = 0; request < 25; request += 1) await own.embed(textsOf(2));
    server.reset();
    refuseFrom(128, 400, 'unused');
    await own.embed(textsOf(2));
    expect(sentCounts()).toEqual([2]);
  });

  test.each([
    [422, 'batch size {count} > maximum allowed batch size 32'],
    [400, 'Too many inputs. The max number of inputs is 32.'],
    [422, 'List should have at most 32 items after validation, not {count}'],
    [400, 'at most 32 requests can be in one batch'],
    [400, 'Array too long. Expected one with maximum length 32, but got {count} instead.'],
  ])('gets no more longer texts than it took, when it says that it is their number: %i %s', async (status, message) => {
    const { embeddings: own } = await connectModels(server, { LLM_MAX_RETRIES: '1' });
    server.reset();
    refuseFrom(32, status, message);
    await own.embed(textsOf(128, 1_000));
    expect(sentCounts()).toEqual([128, 64, 32, 32, 32, 32]);
    server.reset();
    refuseFrom(32, status, message);
    await own.embed(textsOf(64, 1_000));
    expect(sentCounts()).toEqual([32, 32]);
  });

  test('gets no more longer texts than it took, when it has taken longer ones together', async () => {
    const { embeddings: own } = await connectModels(server, { LLM_MAX_RETRIES: '1' });
    const embed = async (count: number, length: number) => {
      server.reset();
      refuseFrom(32, 413, 'no');
      await own.embed(textsOf(count, length));
      return sentCounts();
    };
    // It may have been their length.
    expect(await embed(64, 250)).toEqual([64, 32, 32]);
    expect(await embed(64, 250)).toEqual([64, 32, 32]);
    expect(await embed(32, 600)).toEqual([32]);
    expect(await embed(64, 250)).toEqual([64, 32, 32]);
    expect(await embed(64, 250)).toEqual([32, 32]);
  });

  test.each(['Too many tokens in batch', 'Payload too large'])(
    'of limited length together is not taken for one that takes few: %s',
    async (message) => {
      const { embeddings: own } = await connectModels(server, { LLM_MAX_RETRIES: '1' });
      server.reset();
      refuseIf((input) => input.join('').length > 10_000, 400, message);
      await own.embed(textsOf(8, 1_900));
      expect(sentCounts()).toEqual([8, 4, 4]);
      server.reset();
      refuseFrom(128, 400, 'unused');
      await own.embed(textsOf(50));
      expect(sentCounts()).toEqual([50]);
    },
  );

  test('is none that refuses one text because of its length', async () => {
    const { embeddings: own } = await connectModels(server, { LLM_MAX_RETRIES: '1' });
    server.reset();
    refuseIf((input) => input.some(({ length }) => length > 4_000), 413, 'no');
    await own.embed([...textsOf(3), ...textsOf(1, 6_000)]);
    expect(sentCounts()).toEqual([4, 2, 2, 1, 1, 1]);
    server.reset();
    refuseFrom(128, 400, 'unused');
    await own.embed(textsOf(50));
    expect(sentCounts()).toEqual([50]);
  });

  test('is not configured rightly when it refuses a short text alone', async () => {
    const { embeddings: own } = await connectModels(server, { LLM_MAX_RETRIES: '1' });
    server.reset();
    refuseFrom(0, 400, 'batch size is invalid');
    await expect(own.embed(textsOf(8))).rejects.toMatchObject({ code: 'configuration' });
    expect(sentCounts()).toEqual([8, 4, 2, 1]);
    server.reset();
    await own.embed(textsOf(8));
    expect(sentCounts()).toEqual([8]);
  });
});

test('without texts no request is made', async () => {
  expect(await embeddings.embed([])).toEqual([]);
  expect(await embeddings.embed([' '])).toEqual([new Float32Array(24)]);
  expect(server.calls()).toBe(0);
});

describe('answers that cannot be used', () => {
  test.each([
    ['another length', vectors([1, 2, 3]), 'configuration'],
    ['too few', vectors(), 'invalid-output'],
    ['no numbers', vectors(Array(24).fill(null).with(0, 'x')), 'invalid-output'],
    ['only null', vectors(Array(24).fill(null)), 'invalid-output'],
    ['null among numbers', vectors(Array(24).fill(0.5).with(7, null)), 'invalid-output'],
    ['a number as text', vectors(Array(24).fill(0.5).with(7, '0.5')), 'invalid-output'],
    ['another body', { json: { hello: 'world' } }, 'invalid-output'],
  ])('%s', async (_, reply, code) => {
    server.replies.always('embed', reply);
    await expect(embeddings.embed(['a'])).rejects.toMatchObject({ code });
  });

  test.each([
    ['rate-limit', 'rate-limited', 2],
    ['server-error', 'unavailable', 2],
    ['unauthorized', 'authentication', 1],
    ['not-json', 'invalid-output', 1],
    ['disconnect', 'unavailable', 2],
  ] as const)('%s is %s after %i tries', async (fault, code, tries) => {
    server.replies.always('embed', { fault });
    await expect(embeddings.embed(['a'], undefined, 'background')).rejects.toMatchObject({ code });
    expect(server.calls()).toBe(tries);
  });
});

test('the caller can abort a request', async () => {
  server.replies.always('embed', { fault: 'stall-body' });
  const abort = new AbortController();
  const running = embeddings.embed(['a'], abort.signal);
  await expect.poll(() => server.calls()).toBe(1);
  abort.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
});

test('requests at the same time do not wait for each other, and each is aborted alone', async () => {
  server.replies.always('embed', { fault: 'stall-body' });
  const aborts = Array.from({ length: 4 }, () => new AbortController());
  const ended: number[] = [];
  const running = aborts.map(({ signal }, index) =>
    embeddings.embed([`text ${index}`], signal).catch(() => void ended.push(index)),
  );
  await expect.poll(() => server.calls()).toBe(4);
  for (const index of [3, 0, 1, 2]) {
    aborts[index]?.abort(new Error('enough'));
    await running[index];
  }
  expect(ended).toEqual([3, 0, 1, 2]);
});

describe('a length that is configured', () => {
  test('is requested, and part of the name', async () => {
    const { embeddings: short } = await connectModels(server, { EMBEDDING_DIMENSIONS: '12' });
    expect(short).toMatchObject({ name: 'openai:stand-in-embedding@12', dimensions: 12 });
    expect(server.calls()).toBe(0);
    expect((await short.embed(['a']))[0]).toHaveLength(12);
  });

  test('is not requested again from a server that does not support it', async () => {
    const rigid = await startModelServer({ dimensions: 24, abilities: { dimensions: false } });
    const { embeddings: own } = await connectModels(rigid, { EMBEDDING_DIMENSIONS: '24' });
    await own.embed(['a']);
    await own.embed(['a']);
    expect(rigid.requests.map(({ body }) => body.dimensions)).toEqual([24, undefined, undefined]);
    await rigid.stop();
  });
});
