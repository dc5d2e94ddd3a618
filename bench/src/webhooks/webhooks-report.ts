import { type Machine, machineLine } from '../timing/machine.ts';
import type { WebhooksOptions, WebhooksRun } from './measure-webhooks.ts';

export interface WebhooksReport extends WebhooksRun {
  readonly machine: Machine;
  readonly options: WebhooksOptions;
}

export function webhooksTable({ machine, options, fullSpeed, steady, kept, rebuild }: WebhooksReport): string {
  const { rounds, deliveries, atOnce, perSecond, seconds, apart } = options;
  return [
    machineLine(machine),
    apart ? 'The services that webhooks need, each in a process of its own' : 'All services in one process',
    '',
    `Full speed: ${rounds} rounds of ${deliveries} deliveries, ${atOnce} at once; medians over the rounds`,
    '',
    '| | deliveries/s | ack p50 ms | ack p99 ms |',
    '|---|---|---|---|',
    ...(['measured', 'floor'] as const).map((name) => {
      const { perSecond: rate, p50Ms, p99Ms } = fullSpeed[name];
      return `| ${names[name]} | ${rate.toFixed(0)} | ${ms(p50Ms)} | ${ms(p99Ms)} |`;
    }),
    '',
    `${(fullSpeed.ratio * 100).toFixed(0)} % of the floor's deliveries per second. The last row was there ${fullSpeed.rowsBehindSeconds.toFixed(2)} s after the last answer, ${fullSpeed.rowsPerSecond.toFixed(0)} rows/s over the whole turn.`,
    '',
    `Steady: ${perSecond} deliveries/s for ${seconds} s, timed from when each was due`,
    '',
    '| | ack p50 ms | ack p99 ms | longest ms | not taken |',
    '|---|---|---|---|---|',
    ...(['measured', 'floor'] as const).map((name) => {
      const { p50Ms, p99Ms, maxMs, refused } = steady[name];
      return `| ${names[name]} | ${ms(p50Ms)} | ${ms(p99Ms)} | ${ms(maxMs)} | ${refused} |`;
    }),
    '',
    `A look at the rows, which waits for what had been received when it came: p50 ${ms(steady.look.p50Ms)} ms, p99 ${ms(steady.look.p99Ms)} ms. All rows were there ${steady.rowsBehindSeconds.toFixed(2)} s after the last answer.`,
    '',
    `${kept.answered} deliveries were answered with 200: ${kept.logged} are in the logs, ${kept.rows} are rows.`,
    `Rebuilt while everything ran: ${rebuild.seconds.toFixed(1)} s, ${rebuild.deliveriesPerSecond.toFixed(0)} deliveries/s.`,
  ].join('\n');
}

const names = { measured: 'POST /api/webhooks/incoming/{token}', floor: 'floor: Express, publish, ack' } as const;

function ms(value: number): string {
  return value.toFixed(2);
}
