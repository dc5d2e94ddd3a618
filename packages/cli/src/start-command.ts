import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** The process with all services, a bundle if this program is one. @param program the file of this program */
function standaloneOf(program: string): string {
  return join(dirname(program), '../../../services/standalone/src', `main${extname(program)}`);
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs the standalone process until it ends, and ends with its exit code. Signals are passed on. It has a process group
 * of its own: in this one a Ctrl-C of the terminal would reach it twice, and the second signal ends it at once. A channel
 * to it closes when this process is gone, also by kill -9, and then it ends too.
 */
export async function startCommand(): Promise<void> {
  const child = spawn(process.execPath, [standaloneOf(realpathSync(process.argv[1] ?? ''))], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exit(code ?? 1);
}
