import { expect, it } from 'vitest';
import { changing } from '../../testing/slow-connections.ts';
import { context, countedTo, useTestLog } from '../../testing/test-log.ts';
import { openLog } from '../log.ts';
import { createPageReader } from './page-reader.ts';

const log = useTestLog();

it('asks for one message after the other when a server is silent about pages', async () => {
  const subject = `${log.stream}.a`;
  await log.store.append(subject, countedTo(5), 0, context);
  let pages = 0;
  const silent = changing(log.connection, {
    publish: (to, data, options) => {
      if (to.startsWith('$JS.API.DIRECT.GET.')) pages += 1;
      else log.connection.publish(to, data, options);
    },
  });
  const read = createPageReader(openLog(silent, log.stream));
  const sequencesFrom = async (from: number) =>
    (await read({ subject, from, limit: 3, maxBytes: 1_000, timeoutMs: 200 })).map(({ sequence }) => sequence);
  expect([await sequencesFrom(1), await sequencesFrom(4), await sequencesFrom(6)]).toEqual([[1, 2, 3], [4, 5], []]);
  expect(pages).toBe(2);
});

it('asks for pages again after a single silence', async () => {
  const subject = `${log.stream}.a`;
  await log.store.append(subject, countedTo(5), 'any', context);
  let pages = 0;
  const silentOnce = changing(log.connection, {
    publish: (to, data, options) => {
      if (to.startsWith('$JS.API.DIRECT.GET.')) pages += 1;
      if (pages !== 1 || !to.startsWith('$JS.API.DIRECT.GET.')) log.connection.publish(to, data, options);
    },
  });
  const read = createPageReader(openLog(silentOnce, log.stream));
  for (const from of [1, 2, 3]) {
    const [first] = await read({ subject, from, limit: 1, maxBytes: 1_000, timeoutMs: 200 });
    expect(first?.sequence).toBe(from);
  }
  expect(pages).toBe(3);
});
