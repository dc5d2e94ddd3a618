import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@mneme/local-stack';
import { endWithBenchmark } from './end-with-benchmark.ts';
import { entryOf } from './entry.ts';
import { end, type Settings } from './running-system.ts';

const readyTimeoutMs = 60_000;
const pollMs = 50;

export interface ServiceProcesses {
  /** Of the gateway, which is the last of the names. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts services each in a process of its own, as a deployment runs them.
 * @param names in the order in which they are started; the last one is the gateway
 */
export async function startServices(names: readonly string[], settings: Settings): Promise<ServiceProcesses> {
  const children: ChildProcess[] = [];
  const stop = async () => void (await Promise.all(children.map(end)));
  try {
    let url = '';
    for (const name of names) {
      const port = await findFreePort();
      const environment = { ...process.env, ...settings, PORT: String(port), HEALTH_PORT: String(port) };
      const child = spawn(process.execPath, [entryOf(name)], {
        env: environment,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      children.push(child);
      endWithBenchmark(child);
      url = `http://127.0.0.1:${port}`;
      await whenReady(child, name, name === names.at(-1) ? `${url}/healthz` : `${url}/readyz`);
    }
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function whenReady(child: ChildProcess, name: string, url: string): Promise<void> {
  for (const deadline = performance.now() + readyTimeoutMs; performance.now() < deadline; await pause(pollMs)) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode} before it was ready`);
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
  }
  throw new Error(`${name} was not ready after ${readyTimeoutMs} ms`);
}
