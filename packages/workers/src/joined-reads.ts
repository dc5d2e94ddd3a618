/** A running read, and the one that begins when it has ended. */
interface Read<Value> {
  readonly answer: Promise<Value>;
  next: Promise<Value> | undefined;
}

/**
 * Lets concurrent callers share one read per key. No caller gets the result of a read that began before its call: calls
 * during a running read share the next one. This is why it is no cache or memoizer of a library.
 */
export function joinReads<Value>(read: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const underWay = new Map<string, Read<Value>>();

  const begin = (key: string): Promise<Value> => {
    const current: Read<Value> = { answer: read(key), next: undefined };
    underWay.set(key, current);
    const end = () => {
      if (current.next === undefined) underWay.delete(key);
    };
    current.answer.then(end, end);
    return current.answer;
  };

  return (key) => {
    const current = underWay.get(key);
    if (current === undefined) return begin(key);
    const again = () => begin(key);
    current.next ??= current.answer.then(again, again);
    return current.next;
  };
}
