/** Measures at once and from time to time, without keeping the process alive. @returns ends it */
export function measureEvery(everyMs: number, measure: () => unknown): () => void {
  measure();
  const timer = setInterval(measure, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
