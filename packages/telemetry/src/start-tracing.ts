import { setTimeout as pause } from 'node:timers/promises';
import { DiagLogLevel, diag } from '@opentelemetry/api';

const maxReasonLength = 500;
/** How long a process that ends waits for the receiver of its traces, in milliseconds. The exporter would wait for 10 s. */
const stopTimeoutMs = 2_000;

/** What sends traces away. */
export interface Tracing {
  /** Sends what is left, if it is taken within 2 s. */
  stop(): Promise<void>;
}

/** The part of a logger that is used; pino's fits. */
export interface TracingLogger {
  warn(fields: object, message: string): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Sends traces where the standard variables `OTEL_*` say. Does nothing, and loads nothing, without `OTEL_TRACES_EXPORTER` or
 * an endpoint of OTLP.
 * @param options.service the name of the process in traces, unless `OTEL_SERVICE_NAME` gives another
 * @param options.logger is told when traces cannot be sent
 * @returns undefined when traces are off
 */
export async function startTracing(options: {
  readonly service: string;
  readonly version: string;
  readonly env: Environment;
  readonly logger: TracingLogger;
}): Promise<Tracing | undefined> {
  const { service, version, env, logger } = options;
  if (!isConfigured(env)) return undefined;
  const { startNodeSdk } = await import('@opentelemetry/sdk-node');
  const sdk = startNodeSdk({
    // Metrics are read by Prometheus, and logs go to standard output.
    metricReaders: [],
    logRecordProcessors: [],
    resourceAttributes: { 'service.name': nameOf(env) ?? service, 'service.version': version },
  });
  logProblems(logger);
  return { stop: () => Promise.race([sdk.shutdown(), pause(stopTimeoutMs)]) };
}

function isConfigured(env: Environment): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  const exporter = env.OTEL_TRACES_EXPORTER;
  if (exporter) return exporter !== 'none';
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}

/** The SDK lets attributes that are given to it go before those of the environment. */
function nameOf(env: Environment): string | undefined {
  const attribute = /(?:^|,)\s*service\.name=([^,]*)/.exec(env.OTEL_RESOURCE_ATTRIBUTES ?? '')?.[1];
  return env.OTEL_SERVICE_NAME || attribute || undefined;
}

/** Otherwise the SDK writes to the console. */
function logProblems(logger: TracingLogger): void {
  const warn = (message: string) => logger.warn({ reason: message.slice(0, maxReasonLength) }, 'Traces are not sent');
  const ignore = () => undefined;
  const own = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(own, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
