/** The part of a read model that says whether it can answer. */
export interface Answering {
  /** True, or why not every question can be answered. */
  readiness(): true | string;
}

const everyMs = 1_000;

/** Why some of the read models cannot answer yet; empty when all can. */
export function unreadyReasons(readModels: readonly Answering[]): string[] {
  return readModels.map((readModel) => readModel.readiness()).filter((reason) => reason !== true);
}

/** Calls back once when all of the read models can answer. */
export function whenAllAnswer(readModels: readonly Answering[], done: () => void): { stop(): void } {
  const timer = setInterval(() => {
    if (unreadyReasons(readModels).length > 0) return;
    clearInterval(timer);
    done();
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
