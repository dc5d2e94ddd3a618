import { describe, expect, it } from 'vitest';
import { Measurement } from './measurements.ts';
import { inSpan } from './spans.ts';
import { startTracing } from './start-tracing.ts';
import { currentTraceparent, isTraceparent } from './traceparent.ts';

const logger = { warn: () => undefined };
const about = { service: 'test', version: '0', logger };

describe('tracing', () => {
  it.each([
    {},
    { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
    { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  ])('is off with %j', async (env) => {
    expect(await startTracing({ ...about, env })).toBeUndefined();
  });

  it('does the work and no more while it is off', async () => {
    const result = await inSpan('work', { by: 'test', begins: true }, async () => currentTraceparent() ?? 'none');
    expect(result).toBe('none');
    await expect(inSpan('work', { by: 'test' }, () => Promise.reject(new RangeError('x')))).rejects.toThrow(RangeError);
  });
});

describe('a traceparent', () => {
  const trace = 'aabbccddeeff00112233445566778899';
  it.each([
    [`00-${trace}-0123456789abcdef-01`, true],
    [`00-${trace}-0123456789abcdef-00`, true],
    [`cc-${trace}-0123456789abcdef-01-more`, true],
    [`00-${trace}-0000000000000000-01`, false],
    [`00-${'0'.repeat(32)}-0123456789abcdef-01`, false],
    [`00-${trace.toUpperCase()}-0123456789abcdef-01`, false],
    [`00-${trace}-0123456789abcdef`, false],
    ['', false],
  ])('%s is read: %s', (text, isValid) => {
    expect(isTraceparent(text)).toBe(isValid);
  });
});

it('a measurement reaches its listeners', () => {
  const measurement = new Measurement<{ readonly value: number }>('test');
  measurement.publish({ value: 1 });
  const values: number[] = [];
  measurement.subscribe(({ value }) => values.push(value));
  measurement.publish({ value: 2 });
  expect(values).toEqual([2]);
});
