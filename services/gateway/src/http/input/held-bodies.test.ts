import { expect, it } from 'vitest';
import { HeldBodies } from './held-bodies.ts';

/** Receives bodies, one after the other, until one is refused. @returns how many there are */
function fill(bodies: HeldBodies, owner: string, bytes = 1): number {
  for (let count = 0; ; count += 1) {
    const body = bodies.begin(owner);
    try {
      body.resize(bytes);
    } catch (error) {
      expect(error).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
      return count;
    }
    body.endReceiving();
  }
}

/** A body of which some bytes have come; `isRefused` tells whether it had to give way. */
function receiving(bodies: HeldBodies, owner: string, bytes: number) {
  const body = bodies.begin(owner);
  let isRefused = false;
  void body.refused.then((error) => {
    expect(error).toMatchObject({ status: 503 });
    isRefused = true;
  });
  body.resize(bytes);
  return { ...body, isRefused: () => Promise.resolve().then(() => isRefused) };
}

it('the bodies of one owner take half of the memory at most, and those of others half of what is left', () => {
  const bodies = new HeldBodies(64);
  expect(['a', 'b', 'c'].map((owner) => fill(bodies, owner))).toEqual([32, 16, 8]);
  expect(fill(bodies, 'a')).toBe(0);
});

it('what is released can be taken again, also by a body that grows', () => {
  const bodies = new HeldBodies(64);
  const body = receiving(bodies, 'a', 32);
  expect(() => body.resize(33)).toThrow('Too many large bodies');
  body.resize(20);
  body.resize(32);
  body.release();
  body.release();
  expect(() => body.resize(1)).toThrow('Too many large bodies');
  expect(fill(bodies, 'a')).toBe(32);
});

it('the oldest body that is still being received gives way to others of its owner', async () => {
  const bodies = new HeldBodies(64);
  receiving(bodies, 'a', 10).endReceiving();
  const [first, second] = [receiving(bodies, 'a', 10), receiving(bodies, 'a', 10)];
  receiving(bodies, 'a', 10);
  expect([await first.isRefused(), await second.isRefused()]).toEqual([true, false]);
});

it('where others hold most, theirs give way', async () => {
  const bodies = new HeldBodies(64);
  const [first, second] = [receiving(bodies, 'a', 10), receiving(bodies, 'a', 10)];
  const other = receiving(bodies, 'b', 20);
  receiving(bodies, 'c', 15);
  const bodiesBefore = [first, second, other];
  expect(await Promise.all(bodiesBefore.map((body) => body.isRefused()))).toEqual([true, false, false]);
});

it('few are decompressed at once, and no owner waits for all that another has', async () => {
  const bodies = new HeldBodies(64);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const decompress = (owner: string) => {
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    ends.push(() => resolve(Buffer.from(owner)));
    return bodies.begin(owner).decompress(() => {
      begun.push(owner);
      return promise;
    });
  };
  const results = ['a', 'a', 'a', 'a', 'b'].map(decompress);
  await expect.poll(() => begun).toEqual(['a', 'a', 'b']);
  for (const end of ends) end();
  expect((await Promise.all(results)).map(String)).toEqual(['a', 'a', 'a', 'a', 'b']);
});
