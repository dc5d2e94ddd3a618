import {
  type Context,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  TraceFlags,
  trace,
} from '@opentelemetry/api';

/** Version 00 of the W3C Trace Context, which later versions have to be readable as. */
const pattern = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:$|-)/;

/** The place in a trace that work done now belongs to, as it travels in headers; undefined while nothing is traced. */
export function currentTraceparent(): string | undefined {
  const current = trace.getSpanContext(context.active());
  if (!current || !isSpanContextValid(current)) return undefined;
  const flags = current.traceFlags & TraceFlags.SAMPLED ? '01' : '00';
  return `00-${current.traceId}-${current.spanId}-${flags}`;
}

/** Whether a text of a caller is a place in a trace. */
export function isTraceparent(text: string): boolean {
  return spanContextOf(text) !== undefined;
}

/** @returns undefined for anything but a valid place in a trace */
export function spanContextOf(traceparent: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = pattern.exec(traceparent) ?? [];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const read = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(read) ? read : undefined;
}

/** A context whose spans continue a trace; the root context where there is none. */
export function contextOf(traceparent: string | undefined): Context {
  const parent = traceparent === undefined ? undefined : spanContextOf(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}
