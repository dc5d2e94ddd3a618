const atOnce = 64;

/** Writes records side by side, but what has ended after what goes on from it: a crash in between loses nothing. */
export async function writeInOrder<R>(
  rules: { hasEnded(record: R): boolean },
  records: Iterable<[key: string, record: R]>,
  write: (key: string, record: R) => Promise<boolean>,
): Promise<number> {
  const all = [...records];
  const going = all.filter(([, record]) => !rules.hasEnded(record));
  const ended = all.filter(([, record]) => rules.hasEnded(record));
  const count = await inChunks(going, ([key, record]) => write(key, record));
  return count + (await inChunks(ended, ([key, record]) => write(key, record)));
}

/** Does something with each item, a bounded number at once; counts how often it has answered true. */
export async function inChunks<T>(items: readonly T[], act: (item: T) => Promise<boolean>): Promise<number> {
  let count = 0;
  for (let from = 0; from < items.length; from += atOnce) {
    const done = await Promise.all(items.slice(from, from + atOnce).map(act));
    count += done.filter(Boolean).length;
  }
  return count;
}
