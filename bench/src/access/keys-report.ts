import { type Machine, machineLine } from '../timing/machine.ts';
import type { Latency } from '../timing/samples.ts';
import type { CallerFigures, KeysOptions } from './measure-keys.ts';

export interface KeysReport extends KeysOptions {
  readonly machine: Machine;
  readonly callers: readonly CallerFigures[];
  /** One read and one compare-and-set of a KV bucket on the same server. */
  readonly floor: Latency;
}

export function keysTable({ machine, callers, floor, rounds, requests, concurrency }: KeysReport): string {
  return [
    machineLine(machine),
    `${requests} requests in each of ${rounds} rounds, ${concurrency} at once; medians over the rounds`,
    '',
    '| GET /api/agents with | requests/s | p50 ms | p99 ms | requests/s beside no credentials |',
    '|---|---|---|---|---|',
    ...callers.map(({ name, perSecond, p50Ms, p99Ms, ratio }) => {
      return `| ${name} | ${perSecond.toFixed(0)} | ${p50Ms.toFixed(2)} | ${p99Ms.toFixed(2)} | ${(ratio * 100).toFixed(1)} % |`;
    }),
    '',
    `floor of a key, one after the other: a KV read and a KV compare-and-set in ${floor.p50Ms.toFixed(2)} ms (p99 ${floor.p99Ms.toFixed(2)} ms)`,
  ].join('\n');
}
