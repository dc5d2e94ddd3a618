import { setTimeout as pause } from 'node:timers/promises';
import type { BatchPut } from '@mneme/contracts';
import type { Owner } from '@mneme/workers/fair-queue';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLargeBatches, type LargeBatches } from './large-batches.ts';

const batchOf = (length: number) => ({ agent_id: 'ana', items: [{ content: 'x'.repeat(length) }] }) as BatchPut;
const large = batchOf(300_000);
const takes = (ms: number) => () => pause(ms);
const never = new AbortController().signal;
const owner: Owner = ['acme', 'ana'];

let batches: LargeBatches;
/** What has ended, in order. */
let ended: string[];

beforeEach(() => {
  batches = createLargeBatches();
  ended = [];
});

const send = (
  name: string,
  { of = owner, batch = large, append = takes(30), signal = never, timeoutMs = 30_000 } = {},
) => batches.inTurn(batch, { owner: of, timeoutMs, signal }, append).then(() => ended.push(name));

describe('large batches', () => {
  it('are appended one after the other, with rests as long as the appends, for which no caller waits', async () => {
    let answeredAt = Number.POSITIVE_INFINITY;
    let begunAt = 0;
    const first = send('first', { append: takes(60) }).then(() => {
      answeredAt = performance.now();
    });
    const second = send('second', {
      append: async () => {
        begunAt = performance.now();
      },
    });
    await Promise.all([first, second]);
    expect(ended).toEqual(['first', 'second']);
    expect(begunAt - answeredAt).toBeGreaterThan(50);
  });

  it('hold up no small one', async () => {
    await Promise.all([send('large'), send('large too'), send('small', { batch: batchOf(100), append: takes(1) })]);
    expect(ended).toEqual(['small', 'large', 'large too']);
  });

  it('of one owner let others go between them', async () => {
    const many = ['1', '2', '3'].map((name) => send(name));
    await Promise.all([...many, send('of another', { of: ['acme', 'ben'] })]);
    expect(ended).toEqual(['1', '2', 'of another', '3']);
  });

  it('go on after an append that failed, whose error its caller gets', async () => {
    const failing = send('failing', { append: () => Promise.reject(new Error('no room')) });
    const next = send('next');
    await expect(failing).rejects.toThrow('no room');
    await next;
    expect(ended).toEqual(['next']);
  });

  it('are left out when their caller has gone', async () => {
    const gone = new AbortController();
    const first = send('first');
    let appended = false;
    const second = send('second', {
      signal: gone.signal,
      append: async () => {
        appended = true;
      },
    });
    gone.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    await first;
    await send('third');
    expect([ended, appended]).toEqual([['first', 'third'], false]);
  });

  it('are refused when their turn does not come in time, unless it has begun', async () => {
    const first = send('first', { append: takes(120), timeoutMs: 40 });
    const second = send('second', { timeoutMs: 40 });
    await expect(second).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    await first;
    expect(ended).toEqual(['first']);
  });

  it('are refused when too many wait', async () => {
    const sent = Array.from({ length: 70 }, (_, index) =>
      send(`${index}`, { append: takes(1) }).catch((error) => error),
    );
    const refused = (await Promise.all(sent)).filter((answer) => answer instanceof Error);
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({
      status: 503,
      code: 'UNAVAILABLE',
      message: expect.stringContaining('try again'),
    });
  });
});
