import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { hasPrometheus } from './prometheus.ts';

const run = promisify(execFile);
const alertsFile = join(import.meta.dirname, '../../deploy/observe/alerts/mneme.yml');
const gibibyte = 1024 ** 3;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mneme-alerts-'));
  return () => rm(folder, { recursive: true });
});

/** Lets promtool look, after ten minutes in which series keep their values, which instances of an alert fire. */
async function expectFiring(alert: string, series: Readonly<Record<string, number>>, alerts: readonly object[]) {
  const constant = Object.entries(series).map(([name, value]) => [name, `${value}x20`]);
  await expectFiringAt({ '10m': alerts }, alert, Object.fromEntries(constant));
}

/** The same, of series in the notation of promtool, with a value each minute. @param expected by time */
async function expectFiringAt(
  expected: Readonly<Record<string, readonly object[]>>,
  alert: string,
  series: Readonly<Record<string, string>>,
) {
  const unitTest = {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: Object.entries(expected).map(([time, alerts]) => {
      return { eval_time: time, alertname: alert, exp_alerts: alerts };
    }),
  };
  const file = join(folder, 'unit-test.yml');
  await writeFile(file, stringify({ rule_files: [alertsFile], tests: [unitTest] }));
  const { stdout } = await run('promtool', ['test', 'rules', file]);
  expect(stdout).toContain('SUCCESS');
}

describe.skipIf(!hasPrometheus())('when a read model is behind (needs promtool)', () => {
  const alert = 'MnemeReadModelBehind';
  const firing = {
    exp_labels: { severity: 'warning', read_model: 'memory' },
    exp_annotations: {
      summary: 'The read model memory is 40s behind the log',
      runbook: 'docs/operating/read-model-behind.md',
    },
  };

  test.each([
    ['the lane that is furthest behind counts', 40, 'live', [firing]],
    ['a version that is being built does not count', 40, 'rebuilding', []],
    ['nothing fires where lanes keep up', 3, 'live', []],
  ])('%s', async (_title, lag, state, alerts) => {
    const labels = 'instance="a:3000", read_model="memory", version="2"';
    const states = ['live', 'rebuilding'].map((each) => {
      return [`mneme_read_model_state{${labels}, state="${each}"}`, each === state ? 1 : 0];
    });
    const series = {
      [`mneme_read_model_lag_seconds{${labels}, lane="1"}`]: 1,
      [`mneme_read_model_lag_seconds{${labels}, lane="7"}`]: lag,
      ...Object.fromEntries(states),
    };
    await expectFiring(alert, series, alerts);
  });
});

describe.skipIf(!hasPrometheus())('when NATS has nearly stored what it may (needs promtool)', () => {
  const alert = 'MnemeStorageNearlyFull';
  const firing = {
    exp_labels: { severity: 'critical' },
    exp_annotations: {
      summary: 'The event log and the buckets use 90% of what NATS may store',
      runbook: 'docs/operating/storage-nearly-full.md',
    },
  };

  test.each([
    ['the limit of compose counts where the account has none', 36, 0, [firing]],
    ['nothing fires well below it', 30, 0, []],
    ['a limit of the account counts instead', 9, 10, [firing]],
    ['also a larger one', 36, 100, []],
  ])('%s', async (_title, stored, limit, alerts) => {
    const series = {
      mneme_jetstream_storage_bytes: stored * gibibyte,
      mneme_jetstream_storage_limit_bytes: limit * gibibyte,
    };
    await expectFiring(alert, series, alerts);
  });
});

describe.skipIf(!hasPrometheus())('when a handler has given up an event (needs promtool)', () => {
  test('it fires as long as there is a dead letter, whatever became of the process', async () => {
    const series = { 'mneme_stream_messages{stream="PARKED", instance="a:9090"}': '0x5 1x175 0x60' };
    const firing = {
      exp_labels: { severity: 'warning' },
      exp_annotations: { summary: '1 dead letters wait for an operator', runbook: 'docs/operating/dead-letters.md' },
    };
    await expectFiringAt({ '5m': [], '7m': [firing], '3h': [firing], '3h5m': [] }, 'MnemeDeadLetterQueue', series);
  });

  test('it says how many within the hour, in a whole number', async () => {
    const series = { 'mneme_dead_letters_total{reader="memory", stream="MEMORY"}': '1x10 4x200' };
    const firing = (count: number) => ({
      exp_labels: { severity: 'warning', reader: 'memory' },
      exp_annotations: {
        summary: `memory gave up ${count} events within an hour`,
        runbook: 'docs/operating/dead-letters.md',
      },
    });
    await expectFiringAt({ '5m': [firing(1)], '40m': [firing(3)], '2h': [] }, 'MnemeEventsGivenUp', series);
  });
});

describe.skipIf(!hasPrometheus())('when the file descriptors of a process are nearly used up (needs promtool)', () => {
  test.each([
    ['it fires before the gateway refuses connections', 130, true],
    ['nothing fires well below', 100, false],
  ])('%s', async (_title, open, isFiring) => {
    const series = {
      'process_open_fds{job="mneme", instance="a:9090"}': open,
      'process_max_fds{job="mneme", instance="a:9090"}': 200,
      'process_open_fds{job="other", instance="b:9090"}': 190,
      'process_max_fds{job="other", instance="b:9090"}': 200,
    };
    const firing = {
      exp_labels: { severity: 'warning', instance: 'a:9090' },
      exp_annotations: {
        summary: 'a:9090 has 65% of its file descriptors open',
        runbook: 'docs/operating/file-descriptors.md',
      },
    };
    await expectFiring('MnemeFileDescriptors', series, isFiring ? [firing] : []);
  });
});
