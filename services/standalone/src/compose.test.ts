import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayConfigSchema } from '@mneme/gateway';
import { keysConfigSchema } from '@mneme/keys';
import { serverImages } from '@mneme/local-stack';
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
}

const file = join(import.meta.dirname, '../../../docker-compose.yml');
const { services } = parse(readFileSync(file, 'utf8'), { merge: true }) as { services: Record<string, ComposeService> };
const schemas = {
  gateway: gatewayConfigSchema,
  'memory-ingest': memoryIngestConfigSchema,
  'memory-query': memoryQueryConfigSchema,
  keys: keysConfigSchema,
  webhook: webhookConfigSchema,
};
const named = Object.entries(schemas).map(([name, schema]) => ({ name, schema, service: services[name] }));

describe.each(named)('in containers $name', ({ name, schema, service }) => {
  const environment = service?.environment ?? {};

  it('gets every setting that it has', () => {
    expect(Object.keys(schema.shape).filter((setting) => !(setting in environment))).toEqual([]);
  });

  it('gets what the operator sets under the same name', () => {
    const passed = Object.entries(environment).filter(([, value]) => value.includes('${'));
    expect(passed.filter(([setting, value]) => !value.match(`^\\$\\{${setting}:[-?]`))).toEqual([]);
  });

  it('starts with what stands there where the operator sets the secrets alone', () => {
    const secret = '0123456789abcdef'.repeat(4);
    const given = { JWT_SECRET: secret, SECRETS_KEY: secret };
    expect(() => loadConfig(schema, resolve(environment, given))).not.toThrow();
  });

  it('is asked whether it is well where it answers, and has the time to end', () => {
    const port = name === 'gateway' ? environment.PORT : environment.HEALTH_PORT;
    expect(service?.healthcheck?.test.join(' ')).toContain(`127.0.0.1:${port}/`);
    expect(Number.parseInt(service?.stop_grace_period ?? '', 10)).toBeGreaterThan(20);
  });
});

it.each([
  ['nats', serverImages.nats],
  ['mongodb', serverImages.mongod],
  ['qdrant', serverImages.qdrant],
])('%s is the same image in containers and in tests, has a health check and the time to end', (name, image) => {
  expect(services[name]).toMatchObject({ image, healthcheck: { interval: '30s' }, stop_grace_period: '30s' });
});

/** What compose makes of `${NAME:-default}` and `${NAME:?message}`. */
function resolve(environment: Readonly<Record<string, string>>, given: Readonly<Record<string, string>>) {
  const withDefault = /^\$\{(\w+):(?:-|\?.*)(.*)\}$/;
  return Object.fromEntries(
    Object.entries(environment).map(([setting, value]) => {
      const [, name = '', fallback = ''] = withDefault.exec(value) ?? [];
      return [setting, name === '' ? value : (given[name] ?? fallback)];
    }),
  );
}
