/** Lets work on one thing be done one after the other in this process, in the order of asking. Different things do not wait for each other. */
export interface KeyedMutex {
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return {
    take: (key, work) => {
      const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
      last.set(key, turn);
      const leave = () => {
        if (last.get(key) === turn) last.delete(key);
      };
      turn.then(leave, leave);
      return turn;
    },
  };
}
