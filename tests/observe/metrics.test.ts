import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { memorySubjects } from '@mneme/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ModelSystem, startModelSystem } from '../models/model-system.ts';
import { eventually } from '../system/eventually.ts';
import { openEventLog } from '../system/stores/event-log.ts';
import { checkRules, hasPrometheus, type Prometheus, startPrometheus } from './prometheus.ts';

const root = join(import.meta.dirname, '../..');
const alertsFile = join(root, 'deploy/observe/alerts/mneme.yml');
const dashboards = join(root, 'deploy/observe/dashboards');
const pages = join(root, 'docs/operating');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook: string };
}

/** A system in which everything that is measured has happened: requests, an event that no reader can read, a failing model. */
let fixture: ModelSystem;
let alerts: readonly Alert[];
beforeAll(async () => {
  fixture = await startModelSystem({ environment: { IDEMPOTENCY_MAX_BYTES: '65536' } });
  alerts = (parse(await readFile(alertsFile, 'utf8')) as { groups: [{ rules: Alert[] }] }).groups[0].rules;
  await useEverything();
  return fixture.stop;
});

async function useEverything(): Promise<void> {
  const { system, model } = fixture;
  await system.http.post('/api/memories/batch', { agent_id: 'measured', items: [{ content: 'Alice holds lemons.' }] });
  await system.http.post('/api/search', { agent_id: 'measured', query: 'Who holds lemons?' });
  model.replies.next('think', { fault: 'unauthorized' });
  const question = { agent_id: 'measured', query: 'Who holds lemons?' };
  expect((await system.http.post('/api/think', question)).status).toBe(500);
  expect((await system.http.post('/api/think', question)).status).toBe(200);
  const log = await openEventLog(system.stack.natsUrl);
  await log.append(memorySubjects.operation({ space: 'public', agentId: 'poisoned' }, 'none'), 'BatchSubmitted', {});
  await log.close();
  await eventually('the dead letter is counted', async () => /^mneme_dead_letters_total\{/m.test(await metrics()));
}

const metrics = async () => (await fixture.system.http.get<string>('/metrics')).body;

/** Names, types and labels of the metrics in the table of the documentation. */
async function documented(): Promise<Map<string, { readonly type: string; readonly labels: readonly string[] }>> {
  const text = await readFile(join(pages, 'metrics.md'), 'utf8');
  const rows = text.matchAll(/^\| `(mneme_\w+)` \| (\w+) \| (.*?) \|/gm);
  return new Map(
    [...rows].map(([, name = '', type = '', labels = '']) => {
      return [name, { type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label) }];
    }),
  );
}

test('the documentation names each metric of the running system, with its type and labels', async () => {
  const text = await metrics();
  const table = await documented();
  const served = [...text.matchAll(/^# TYPE (mneme_\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  expect([...table].map(([name, { type }]) => `${name} ${type}`).sort()).toEqual(served.sort());
  const wrong: string[] = [];
  for (const [, name = '', labels = ''] of text.matchAll(/^(mneme_\w+?)(?:_bucket|_sum|_count)?\{(.*)\} /gm)) {
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label).filter((label) => label !== 'le');
    const allowed = table.get(name)?.labels ?? [];
    if (names.some((label) => !allowed.includes(label ?? ''))) wrong.push(`${name} ${names}`);
  }
  expect(wrong).toEqual([]);
});

test('names follow the conventions: base units, and a total for each counter', async () => {
  for (const [name, { type }] of await documented()) {
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    expect(name).not.toMatch(/_(ms|milliseconds|kb|mb|count|sum|bucket)$/);
  }
});

test('each alert has a page that says what it means and what to do, and the index names it', async () => {
  const index = await readFile(join(pages, 'README.md'), 'utf8');
  for (const { alert, annotations } of alerts) {
    expect(existsSync(join(root, annotations.runbook)), annotations.runbook).toBe(true);
    const page = await readFile(join(root, annotations.runbook), 'utf8');
    expect(page).toMatch(/## What to look at[\s\S]*## What to do/);
    expect(index).toContain(`\`${alert}\``);
  }
});

describe.skipIf(!hasPrometheus())('in a Prometheus that reads the running system', () => {
  let prometheus: Prometheus;
  beforeAll(async () => {
    prometheus = await startPrometheus(new URL(fixture.system.http.url).host);
    // A rate needs two measurements, and something between them.
    await eventually(
      'it has read twice',
      async () => (await prometheus.count('rate(process_cpu_seconds_total[10s])')) > 0,
    );
    await useEverything();
    await eventually('it has read again', async () => (await prometheus.count('mneme_dead_letters_total')) > 0);
  });
  afterAll(() => prometheus?.stop());

  const emptyAfter = async (queries: readonly string[]) => {
    const empty: string[] = [];
    for (const query of queries) if ((await prometheus.count(query)) === 0) empty.push(query);
    return empty;
  };

  test('the rules are valid', async () => {
    expect(await checkRules([alertsFile])).toContain(`SUCCESS: ${alerts.length} rules found`);
  });

  test('what each alert looks at is measured', async () => {
    const looked = alerts.map(({ expr }) => expr.replace(/ (>|<|==) [\d.]+$/, '').replace(/^absent\((.*)\)$/, '$1'));
    await expect.poll(() => emptyAfter(looked), { timeout: 30_000, interval: 1_000 }).toEqual([]);
  });

  test('every query of the dashboards returns data', async () => {
    const queries: string[] = [];
    for (const file of await readdir(dashboards)) {
      const { panels } = JSON.parse(await readFile(join(dashboards, file), 'utf8')) as {
        panels: { targets?: { expr: string }[] }[];
      };
      queries.push(...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)));
    }
    expect(queries.length).toBeGreaterThan(30);
    const bound = queries.map((query) => query.replaceAll('$__rate_interval', '1m'));
    await expect.poll(() => emptyAfter(bound), { timeout: 30_000, interval: 1_000 }).toEqual([]);
  });

  test('only alerts fire that have a cause', async () => {
    const firing: string[] = [];
    for (const { alert, expr } of alerts) if ((await prometheus.count(expr)) > 0) firing.push(alert);
    expect(firing).toContain('MnemeEventsGivenUp');
    expect(firing).not.toContain('MnemeNotReady');
    expect(firing).not.toContain('MnemeDown');
    expect(firing).not.toContain('MnemeReadModelStopped');
  });
});
