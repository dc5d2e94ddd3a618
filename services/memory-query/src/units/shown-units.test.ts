import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { cut, fitUnits } from './shown-units.ts';

describe('units that fit into a reply', () => {
  const render = (text: string, maxText: number) => ({ text: cut(text, maxText) });
  const texts = ['é'.repeat(2_000), 'b'.repeat(600), 'c'.repeat(100)];
  const whole = texts.map((text) => ({ text }));
  const bytes = Buffer.byteLength(JSON.stringify(whole));

  it('are whole as long as there is room', async () => {
    expect(await fitUnits(texts, bytes, render)).toEqual({ units: whole, bytes });
    expect(await fitUnits([], 0, render)).toEqual({ units: [], bytes: 2 });
  });

  it('are truncated as little as necessary', async () => {
    const { units, bytes: taken } = await fitUnits(texts, bytes - 1, render);
    expect(units.map(({ text }) => text.length)).toEqual([1_001, 600, 100]);
    expect(taken).toBe(Buffer.byteLength(JSON.stringify(units)));
  });

  it('are all there, however small the reply is', async () => {
    const { units } = await fitUnits(texts, 10, render);
    expect(units.map(({ text }) => text.length)).toEqual([31, 31, 31]);
  });

  it('let other work have its turn, however many they are', async () => {
    let turns = 0;
    let isRunning = true;
    const others = (async () => {
      for (; isRunning; turns += 1) await setImmediate();
    })();
    await fitUnits(
      Array.from({ length: 200_000 }, () => 'x'.repeat(50)),
      1_000_000,
      render,
    );
    isRunning = false;
    await others;
    expect(turns).toBeGreaterThan(2);
  });
});
