import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@mneme/local-stack';
import { eventually } from '../system/eventually.ts';

const run = promisify(execFile);

/** Debian's package `prometheus` has both programs. */
export function hasPrometheus(): boolean {
  try {
    for (const program of ['promtool', 'prometheus']) execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Lets Prometheus' own parser check files of rules. @returns what it says */
export async function checkRules(files: readonly string[]): Promise<string> {
  const { stdout } = await run('promtool', ['check', 'rules', ...files]);
  return stdout;
}

export interface Prometheus {
  /** @returns how many series a query has. @throws Error if it is no query */
  count(query: string): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a Prometheus that reads the metrics of one target every second. @param target such as `127.0.0.1:8080` */
export async function startPrometheus(target: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-prometheus-'));
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: [{ job_name: 'mneme', static_configs: [{ targets: [target] }] }],
  };
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const address = `127.0.0.1:${await findFreePort()}`;
  const server = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const isUp = async () => (await fetch(`http://${address}/-/ready`)).ok;
  await eventually('Prometheus is up', isUp);
  return {
    count: async (query) => {
      const response = await fetch(`http://${address}/api/v1/query?${new URLSearchParams({ query })}`);
      const { status, error, data } = (await response.json()) as Answer;
      if (status !== 'success') throw new Error(`${query}: ${error}`);
      return data.result.length;
    },
    stop: async () => {
      server.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data: { readonly result: readonly unknown[] };
}
