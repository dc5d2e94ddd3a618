/** One read under way, and the one that begins when it has ended. */
interface Read<Value> {
  readonly answer: Promise<Value>;
  next: Promise<Value> | undefined;
}

/**
 * Lets those who ask for the same thing at the same time share one read. Nobody gets an answer that was asked for before
 * they came: who comes while a read is under way shares the next one.
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
