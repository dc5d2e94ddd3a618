import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { root } from './places.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** npm passes a Ctrl-C on as well, so that the same one may come twice. */
const SAME_SIGNAL_MS = 500;
const PARENT_POLL_MS = 1000;
const parent = process.ppid;
/** Ends the command when this process is gone, however it went: then the pipe has an end. */
const LIFELINE = '{ read -r ended <&3 || kill -TERM $$; } >/dev/null 2>&1 & exec "$@" 3<&-';

/** Without these the C library keeps most of the memory that a burst of large requests took. The images set them too. */
export const givesMemoryBack = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * Runs a command to its end and resolves with its exit code. Signals that come here are passed on to it.
 *
 * @param {{ path: string }} toolchain whose PATH it runs with
 * @param {{ ownSession?: boolean, environment?: Record<string, string>, stdout?: 'inherit' | number }} [options] `stdout` is
 *   where its standard output goes
 */
export async function runChild(toolchain, command, parameters, given = {}) {
  const { ownSession = false, environment = {}, stdout = 'inherit' } = given;
  const options = { cwd: root, env: { ...process.env, PATH: toolchain.path, ...environment } };
  const child = ownSession
    ? spawn('/bin/sh', ['-c', LIFELINE, 'sh', command, ...parameters], {
        ...options,
        detached: true,
        stdio: ['inherit', stdout, 'inherit', 'pipe'],
      })
    : spawn(command, parameters, { ...options, stdio: ['inherit', stdout, 'inherit'] });
  const stopPassing = ownSession ? passSignals(child) : waitOutSignals(child);
  const stopWatching = watchNpm(() => child.kill('SIGTERM'));
  try {
    const [code, signal] = await once(child, 'exit');
    child.stdio[3]?.on('error', () => {}).end('ended\n');
    return code ?? 128 + constants.signals[signal];
  } finally {
    stopPassing();
    stopWatching();
  }
}

/**
 * The same for what comes before the command that was asked for: it prints to standard error, so that standard output has
 * nothing but the output of that command.
 */
export function prepare(toolchain, command, parameters, options = {}) {
  return runChild(toolchain, command, parameters, { ...options, stdout: 2 });
}

function passSignals(child) {
  const last = new Map();
  return onSignals((signal) => {
    const isSame = Date.now() - (last.get(signal) ?? 0) < SAME_SIGNAL_MS;
    last.set(signal, Date.now());
    if (!isSame) child.kill(signal);
  });
}

/** In the terminal's own group a Ctrl-C reaches the child without us; it is enough to outlive it. */
function waitOutSignals(child) {
  return onSignals((signal) => {
    if (signal !== 'SIGINT') child.kill(signal);
  });
}

function onSignals(act) {
  const listeners = SIGNALS.map((signal) => [signal, () => act(signal)]);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

/** An npm that is killed passes nothing on, but this process then gets another parent. */
function watchNpm(whenGone) {
  if (!process.env.npm_lifecycle_event) return () => {};
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    whenGone();
  }, PARENT_POLL_MS);
  return () => clearInterval(timer);
}

/** Whether a process with this id runs, no matter who has started it. */
export function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
