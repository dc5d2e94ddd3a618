import { describe, expect, it } from 'vitest';
import { joinReads } from './joined-reads.ts';

/** Reads that the test ends. */
function scripted() {
  const reads: PromiseWithResolvers<string>[] = [];
  const ask = joinReads(() => {
    const read = Promise.withResolvers<string>();
    reads.push(read);
    return read.promise;
  });
  return { ask, reads };
}

describe('reads of one key', () => {
  it('are shared by callers that come during a running read, and with no earlier caller', async () => {
    const { ask, reads } = scripted();
    const first = ask('a');
    const later = [ask('a'), ask('a'), ask('a')];
    expect(reads).toHaveLength(1);
    reads[0]?.resolve('old');
    expect(await first).toBe('old');
    const latest = ask('a');
    expect(reads).toHaveLength(2);
    reads[1]?.resolve('new');
    expect(await Promise.all(later)).toEqual(['new', 'new', 'new']);
    reads[2]?.resolve('newest');
    expect(await latest).toBe('newest');
  });

  it('begin again after the last has ended, also when it failed', async () => {
    const { ask, reads } = scripted();
    const failing = ask('a');
    const next = ask('a');
    reads[0]?.reject(new Error('away'));
    await expect(failing).rejects.toThrow('away');
    reads[1]?.resolve('b');
    expect(await next).toBe('b');
    void ask('a');
    expect(reads).toHaveLength(3);
  });

  it('are independent of those of another key', () => {
    const { ask, reads } = scripted();
    void ask('a');
    void ask('b');
    expect(reads).toHaveLength(2);
  });
});
