import { describe, expect, it } from 'vitest';
import { FencedError } from '../errors.ts';
import type { Projection } from '../projection/projection.ts';
import type { Recorded } from '../recorded.ts';
import { counted, type TestEvent } from './test-log.ts';

/** A read model under test, new for every test. */
export interface ProjectionUnderTest {
  /** Makes one more projector of the same read model. */
  projector(): Projection<TestEvent>;
  /** The sequences of what was written, in the order of writing. */
  written(): Promise<number[]>;
  /** Makes the next write fail after it has begun. */
  failNextWrite(): void;
}

export function recorded(sequence: number): Recorded<TestEvent> {
  return {
    ...counted(sequence),
    id: `event-${sequence}`,
    version: 1,
    source: 'test',
    subject: 'T.a',
    time: '2026-01-01T00:00:00.000Z',
    position: { stream: 'T', sequence },
    correlationId: 'request-1',
    causationId: undefined,
    attributes: {},
    actor: undefined,
  };
}

/** What every adapter of the projection port keeps. */
export function projectionContract(name: string, create: () => Promise<ProjectionUnderTest>): void {
  describe(`${name} as a projection`, () => {
    it('stands at 0 at first, and then where it was moved to', async () => {
      const model = await create();
      const projector = model.projector();
      expect(await projector.readPosition()).toBe(0);
      await projector.apply([recorded(1), recorded(2)], { from: 0, to: 4 });
      expect(await projector.readPosition()).toBe(4);
      expect(await model.projector().readPosition()).toBe(4);
      expect(await model.written()).toEqual([1, 2]);
    });

    it('moves without events', async () => {
      const model = await create();
      const projector = model.projector();
      await projector.readPosition();
      await projector.apply([], { from: 0, to: 7 });
      await expect(projector.apply([], { from: 0, to: 9 })).rejects.toThrow(FencedError);
      expect(await projector.readPosition()).toBe(7);
      expect(await model.written()).toEqual([]);
    });

    it('writes nothing when the checkpoint stands elsewhere', async () => {
      const model = await create();
      const [ahead, behind] = [model.projector(), model.projector()];
      await Promise.all([ahead.readPosition(), behind.readPosition()]);
      await ahead.apply([recorded(1), recorded(2)], { from: 0, to: 2 });
      await expect(behind.apply([recorded(1)], { from: 0, to: 1 })).rejects.toThrow(FencedError);
      expect(await ahead.readPosition()).toBe(2);
      expect(await model.written()).toEqual([1, 2]);
    });

    it('lets exactly one of several projectors win every step', async () => {
      const model = await create();
      const projectors = [1, 2, 3].map(() => model.projector());
      await Promise.all(projectors.map((projector) => projector.readPosition()));
      for (let step = 1; step <= 10; step += 1) {
        const advance = { from: step - 1, to: step };
        const results = await Promise.allSettled(projectors.map((each) => each.apply([recorded(step)], advance)));
        const losers = results.filter((result) => result.status === 'rejected').map((result) => result.reason);
        expect(losers).toEqual([expect.any(FencedError), expect.any(FencedError)]);
      }
      expect(await model.written()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    });

    it('moves nothing when writing fails, and can be called again', async () => {
      const model = await create();
      const projector = model.projector();
      await projector.readPosition();
      model.failNextWrite();
      await expect(projector.apply([recorded(1)], { from: 0, to: 1 })).rejects.toThrow('told to fail');
      expect(await projector.readPosition()).toBe(0);
      expect(await model.written()).toEqual([]);
      await projector.apply([recorded(1)], { from: 0, to: 1 });
      expect(await model.written()).toEqual([1]);
    });
  });
}
