/**
 * Maps items, so many at once, and keeps their order. The first failure ends the others.
 * @param run gets a signal that is aborted when the caller's is, or when another item has failed
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  maxRunning: number,
  run: (item: Item, signal: AbortSignal, index: number) => Promise<Result>,
  outer?: AbortSignal,
): Promise<Result[]> {
  const abort = new AbortController();
  const signal = outer === undefined ? abort.signal : AbortSignal.any([outer, abort.signal]);
  const results: Result[] = [];
  const entries = items.entries();
  const worker = async () => {
    for (const [index, item] of entries) {
      signal.throwIfAborted();
      results[index] = await run(item, signal, index);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(maxRunning, items.length) }, worker));
    return results;
  } catch (error) {
    abort.abort(new Error('Another part has failed'));
    throw error;
  }
}
