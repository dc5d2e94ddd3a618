import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { trace } from '@opentelemetry/api';
import { expect, it, onTestFinished, vi } from 'vitest';
import { inSpan } from './spans.ts';
import { startTracing } from './start-tracing.ts';

it('does not hold up the end of a process when nothing answers at the endpoint', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  onTestFinished(() => {
    silent.close();
    vi.unstubAllEnvs();
    trace.disable();
  });
  const logger = { warn: () => undefined };
  const tracing = await startTracing({ service: 'test', version: '0', env: process.env, logger });
  await inSpan('work', { by: 'test', begins: true }, async () => undefined);
  const stopping = performance.now();
  await expect(tracing?.stop()).resolves.toBeUndefined();
  // Less than the exporter would wait by itself.
  expect(performance.now() - stopping).toBeLessThan(8_000);
});
