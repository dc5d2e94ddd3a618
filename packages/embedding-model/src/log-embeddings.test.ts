import { EventEmitter, once } from 'node:events';
import type { EmbeddingModel } from '@mneme/models';
import { expect, it } from 'vitest';
import { followLogEmbeddings } from './log-embeddings.ts';

it('writes ten lines a minute at most while the log is away', async () => {
  const looks = new EventEmitter();
  const lines: string[] = [];
  let looked = 0;
  const away = async () => {
    looked += 1;
    if (looked === 15) looks.emit('fifteen');
    throw new Error('The log is away');
  };
  const silent = { debug: () => undefined, info: () => undefined };
  const model = { name: 'test' } as EmbeddingModel;
  const embeddings = await followLogEmbeddings({
    store: { load: away, execute: away },
    state: { current: 'test', next: undefined, through: undefined, former: [], dimensions: {} },
    current: { model, close: async () => undefined },
    load: away,
    logger: { ...silent, warn: (_about: object, line: string) => void lines.push(line) },
    lookEveryMs: 1,
  });
  await once(looks, 'fifteen');
  await embeddings.stop();
  expect(lines).toEqual(Array(10).fill('The embedding model of the log cannot be looked up'));
});
