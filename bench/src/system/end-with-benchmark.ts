import type { ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();
let isListening = false;

/** A benchmark that fails, or is ended by a signal, is not to leave a process behind. */
export function endWithBenchmark(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
  if (isListening) return;
  isListening = true;
  process.once('exit', () => {
    for (const each of children) each.kill('SIGTERM');
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
}
