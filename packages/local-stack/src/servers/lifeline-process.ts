import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';

/**
 * The shell leaves a watcher behind and becomes the server, so that the process id is the server's own.
 * The watcher reads the lifeline: a line means that the server has ended, the end of the pipe that this process has,
 * even by kill -9, and then the server must not outlive it.
 * What the server writes is for its owner only.
 */
const SCRIPT = 'umask 077; { read -r ended <&3 || kill -KILL $$; } >/dev/null 2>&1 & exec "$@" 3<&-';
const LIFELINE = 3;

export interface LifelineProcess {
  readonly pid: number;
  /** Settles when the process has ended; never rejects. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(signal: NodeJS.Signals): void;
}

export interface LifelineCommand {
  binary: string;
  arguments: readonly string[];
  environment: NodeJS.ProcessEnv;
  workingFolder: string;
  /** What the process prints is appended here. */
  logFile: string;
}

/** Starts a process that ends when this one ends, and that a Ctrl-C in the terminal does not reach. */
export async function startLifelineProcess(command: LifelineCommand): Promise<LifelineProcess> {
  const log = openSync(command.logFile, 'a', 0o600);
  try {
    const child = spawn('/bin/sh', ['-c', SCRIPT, command.binary, command.binary, ...command.arguments], {
      cwd: command.workingFolder,
      env: command.environment,
      stdio: ['ignore', log, log, 'pipe'],
      detached: true,
    });
    const exited = whenExited(child);
    await once(child, 'spawn');
    return { pid: child.pid as number, exited, kill: (signal) => void child.kill(signal) };
  } finally {
    closeSync(log);
  }
}

function whenExited(child: ChildProcess): LifelineProcess['exited'] {
  const lifeline = child.stdio[LIFELINE] as Writable;
  // The watcher may be gone already, for example when the whole process group was killed.
  lifeline.on('error', () => {});
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      lifeline.end('ended\n');
      resolve({ code, signal });
    });
  });
}
