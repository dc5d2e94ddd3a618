import { headers } from '@nats-io/nats-core';
import { describe, expect, it } from 'vitest';
import { HandledAhead } from './handled-ahead.ts';

function messageOf(sequence: number, id = `event-${sequence}`) {
  const given = headers();
  given.set('ce-id', id);
  return { stream: 'S', subject: 's', sequence, headers: given, data: new Uint8Array() };
}

function withDone(from: number, to: number): HandledAhead {
  const handled = new HandledAhead();
  for (let sequence = from; sequence <= to; sequence += 1) handled.noteDone(sequence, `event-${sequence}`);
  return handled;
}

describe('what was handled ahead', () => {
  it('is done once it is handed out, and is told once', () => {
    const handled = withDone(7, 7);
    expect(handled.take(messageOf(7))).toBe('done');
    expect(handled.take(messageOf(7))).toBeUndefined();
  });

  it('says nothing about another event of a restored log', () => {
    expect(withDone(7, 7).take(messageOf(7, 'another'))).toBeUndefined();
  });

  it('and has failed waits as long as it would have', () => {
    const handled = new HandledAhead();
    handled.noteFailed(7, 'event-7', 10_000);
    expect(handled.take(messageOf(7))).toBeGreaterThan(9_000);
    handled.noteFailed(7, 'event-7', 0);
    expect(handled.take(messageOf(7))).toBeUndefined();
  });

  it('is forgotten when it is settled, or most likely went to another instance', () => {
    const handled = withDone(1, 5_000);
    handled.forgetPassed({ delivered: 4_000, settled: 3_500 });
    // 500 may be on their way, and 1,000 were not handed out.
    expect(handled.size).toBe(1_500);
    handled.forgetPassed({ delivered: 5_000, settled: 3_500 });
    expect(handled.size).toBe(1_000);
    expect(handled.take(messageOf(4_000))).toBeUndefined();
    expect(handled.take(messageOf(5_000))).toBe('done');
  });
});
