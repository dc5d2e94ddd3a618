/**
 * Runs work on the same key one after the other in this process, in the order of the calls; different keys do not wait for
 * each other. Hand-made, because a `p-limit` limiter for each key would need the same code to forget keys that are idle.
 */
export interface KeyedMutex {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return {
    run: (key, work) => {
      const running = (last.get(key) ?? Promise.resolve()).then(work, work);
      last.set(key, running);
      const release = () => {
        if (last.get(key) === running) last.delete(key);
      };
      running.then(release, release);
      return running;
    },
  };
}
