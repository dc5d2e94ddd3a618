import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayConfigSchema } from '@mneme/gateway';
import { keysConfigSchema } from '@mneme/keys';
import { serverImages } from '@mneme/local-stack/testing';
import { memoryIngestConfigSchema } from '@mneme/memory-ingest';
import { memoryQueryConfigSchema } from '@mneme/memory-query';
import { loadConfig } from '@mneme/service-kit';
import { webhookConfigSchema } from '@mneme/webhook';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface ComposeService {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[]; readonly interval: string };
  readonly stop_grace_period?: string;
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly logging?: { readonly options: object };
  readonly deploy?: { readonly resources: { readonly limits: { readonly memory: string } } };
}

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
const schemas = {
  gateway: gatewayConfigSchema,
  'memory-ingest': memoryIngestConfigSchema,
  'memory-query': memoryQueryConfigSchema,
  keys: keysConfigSchema,
  webhook: webhookConfigSchema,
};
const named = Object.entries(schemas).map(([name, schema]) => ({ name, schema, service: services[name] }));

describe.each(named)('in containers $name', ({ schema, service }) => {
  const environment = service?.environment ?? {};

  it('gets every setting that it has', () => {
    expect(Object.keys(schema.shape).filter((setting) => !(setting in environment))).toEqual([]);
  });

  it('gets what the operator sets under the same name', () => {
    const passed = Object.entries(environment).filter(([, value]) => value.includes('${'));
    const others = passed.filter(([setting, value]) => !value.match(`^\\$\\{${setting}:[-?]`));
    // Addresses of servers are made of their passwords.
    expect(others.filter(([setting]) => !['NATS_URL', 'MONGODB_URL'].includes(setting))).toEqual([]);
  });

  it('starts with what stands there where the operator sets the secrets alone', () => {
    const secret = '0123456789abcdef'.repeat(4);
    const given = { JWT_SECRET: secret, SECRETS_KEY: secret, NATS_PASSWORD: secret, MONGODB_PASSWORD: secret };
    expect(() => loadConfig(schema, resolve(environment, given))).not.toThrow();
  });

  it('is asked whether it is well where it answers, and has the time to end', () => {
    expect(service?.healthcheck?.test.join(' ')).toContain(`127.0.0.1:${environment.HEALTH_PORT}/`);
    expect(Number.parseInt(service?.stop_grace_period ?? '', 10)).toBeGreaterThan(20);
  });
});

it.each([
  ['nats', serverImages.nats],
  ['mongodb', serverImages.mongod],
  ['qdrant', serverImages.qdrant],
])('%s is the same image in containers and in tests, has a health check and the time to end', (name, image) => {
  expect(services[name]).toMatchObject({ image, stop_grace_period: '30s' });
  // Often enough to be restarted, and seldom enough to cost nothing.
  expect(Number.parseInt(services[name]?.healthcheck?.interval ?? '', 10)).toBeGreaterThanOrEqual(30);
});

it('has Prometheus read the metrics of every service at its HEALTH_PORT, where no name of a host is refused', () => {
  const { scrape_configs } = parse(readFileSync(join(root, 'deploy/observe/prometheus.yml'), 'utf8'));
  const found: { names: string[]; port: number }[] = scrape_configs[0].dns_sd_configs;
  const read = found.flatMap(({ names, port }) => names.map((name) => [name, String(port)]));
  const served = named.map(({ name, service }) => [name, service?.environment?.HEALTH_PORT]);
  expect(read.toSorted()).toEqual(served.toSorted());
});

const all = Object.entries(services);

it('publishes only the gateway, and Grafana where it is asked for, on this machine unless told otherwise', () => {
  const published = all.filter(([, { ports }]) => ports !== undefined).map(([name]) => name);
  expect(published).toEqual(['gateway', 'grafana']);
  expect(services.gateway?.ports).toEqual([expect.stringMatching(/^\$\{BIND_ADDRESS:-127\.0\.0\.1\}:/)]);
  expect(services.grafana).toMatchObject({ profiles: ['observe'], ports: [expect.stringMatching(/^127\.0\.0\.1:/)] });
});

it('confines every container, and bounds its log and its memory', () => {
  for (const [name, service] of all) {
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      logging: { options: { 'max-size': '16m' } },
    });
  }
  const lasting = all.filter(([name]) => name !== 'volumes');
  for (const [name, { deploy }] of lasting) expect(deploy?.resources.limits.memory, name).toMatch(/^\d+[mg]$/);
});

it('takes every setting from .env.example, which has all that the documentation has for containers', () => {
  const example = readFileSync(join(root, '.env.example'), 'utf8');
  const listed = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  const used = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  expect([...new Set(used)].toSorted()).toEqual(listed.toSorted());
  const settings = ['settings.md', 'models.md', 'operating/traces.md'].flatMap((page) =>
    settingsIn(readFileSync(join(root, 'docs', page), 'utf8')),
  );
  expect(settings.filter((name) => !listed.includes(name) && !isOfContainer(name))).toEqual([]);
});

/** The names in the first column of tables. */
function settingsIn(page: string): string[] {
  const cells = [...page.matchAll(/^\| ((?:`[A-Z][A-Z_]+`(?:, )?)+)/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

/** What the compose file itself sets, or what has a meaning for a local start, Kubernetes and tests only. */
function isOfContainer(name: string): boolean {
  const local = ['DATA_DIR', 'MNEME_COMMAND', 'MNEME_NATS_SERVER', 'MNEME_MONGOD', 'MNEME_QDRANT'];
  const outside = ['MNEME_URL', 'MNEME_API_KEY', 'MNEME_MONGOSH', 'MNEME_TEST_WORKERS', 'CHROMIUM'];
  const set = ['HOST', 'HEALTH_PORT', 'NATS_URL', 'MONGODB_URL', 'QDRANT_URL'];
  // A name in traces is that of one service.
  return [...local, ...outside, ...set, 'MONGODB_HOSTS', 'OTEL_SERVICE_NAME'].includes(name);
}

/** What compose makes of `${NAME:-default}` and `${NAME:?message}`. */
function resolve(environment: Readonly<Record<string, string>>, given: Readonly<Record<string, string>>) {
  const resolved = (value: string) =>
    value.replace(/\$\{(\w+):(-|\?)([^}]*)\}/g, (_all, name, kind, rest) => given[name] ?? (kind === '-' ? rest : ''));
  return Object.fromEntries(Object.entries(environment).map(([setting, value]) => [setting, resolved(value)]));
}
